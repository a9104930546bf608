# SPDX-License-Identifier: BSD-3-Clause
"""Files that mean harm: each is a name, its content, how the command ends and
what its message says.

What they unpack to is made of a small packed piece that is repeated: every
format may be concatenated.
"""
import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib

from test_cli import BANNER
from test_npz import array, name_of, npy, pack, small

MB = 1 << 20
TINY = BANNER + "2 2 2\n1 1 1\n2 2 7\n"


def zstd(*blocks, window=0x38):
    """A frame by hand: each block is bytes, or (byte, length) of a run."""
    frame = [b"\x28\xb5\x2f\xfd\x00" + bytes([window])]
    for k, block in enumerate(blocks):
        is_run = isinstance(block, tuple)
        content, size = block if is_run else (block, len(block))
        head = int(k + 1 == len(blocks)) | is_run << 1 | size << 3
        frame += [head.to_bytes(3, "little"), content]
    return b"".join(frame)


PACKERS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstd}


def tar(members, format=tarfile.USTAR_FORMAT, **headers):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.pax_headers = headers
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def tar_header(name, size, kind=b"0"):
    """A header alone, whatever follows it."""
    info = tarfile.TarInfo(name)
    info.size = size
    info.type = kind
    return info.tobuf(tarfile.GNU_FORMAT)


def plain():
    """Texts; status, message after the name."""
    def of(sizes, entries="", banner=BANNER):
        return banner + sizes + "\n" + entries
    symmetric = BANNER.replace("general", "symmetric")
    rows = "its header says .* bytes of row pointers of empty rows"
    yield "rows_134217727", of("134217727 134217727 0"), 4, f":2: {rows}"
    yield "rows_5e6", of("5000000 5000000 0"), 4, f":2: {rows}"
    yield "rows_9e18", of("9223372036854775807 1 0"), 4, f":2: {rows}"
    yield "rows_symmetric", of("99999999 99999999 7", "", symmetric), 4, f":2: {rows}"
    yield "entries_9e18", of("2 2 9223372036854775807", "1 1 1\n"), 4, ":2: its header says 2 rows"
    yield "entries_and_rows", of("99999999 99999999 99999999"), 4, ":2: its header says .* bytes at least"
    yield "entries_few", of("99 99 99999", "1 1 1\n"), 3, ":3: the text ends after 1 of 99999"
    yield "entries_none", of("99 99 9"), 3, ":2: the text ends after 0 of 9"
    yield "entries_more", of("9 9 1", "1 1 1\n" * 9), 3, ":4: more entries"
    yield "sizes_many_digits", of("1" * 400 + " 1 1"), 3, ":2: .* rows do not fit"
    yield "sizes_negative", of("-5 5 0"), 3, ":2: .*not a number of rows"
    yield "sizes_hex", of("0x10 5 0"), 3, ":2: "
    yield "sizes_float", of("1e3 5 0"), 3, ":2: "
    yield "sizes_four", of("3 3 0 1"), 3, ":2: .*more than three"
    yield "sizes_none", BANNER, 3, ":1: the text ends before"
    yield "index_0", of("2 2 1", "0 1 1\n"), 3, ":3: row index 0"
    yield "index_large", of("2 2 1", "1 18446744073709551617 1\n"), 3, ":3: column index"
    yield "index_negative", of("2 2 1", "-1 1 1\n"), 3, ":3: row index -1"
    yield "value_none", of("2 2 1", "1 1\n"), 3, ":3: value is missing"
    yield "value_word", of("2 2 1", "1 1 x\n"), 3, ':3: "x" is not a number'
    yield "value_digits", of("2 2 1", "1 1 " + "1" * MB + "\n"), 0, ""
    yield "value_escape", of("2 2 1", "1 1 \x1b[2J\n"), 3, r':3: "\?\[2J"'
    yield "integer_large", of("1 1 1", f"1 1 {1 << 63}\n", BANNER.replace("real", "integer")), 3, ":3: .*64 bits"
    yield "integer_real", of("1 1 1", "1 1 1.5\n", BANNER.replace("real", "integer")), 3, ":3: .*not an integer"
    yield "array", "%%MatrixMarket matrix array real general\n2 2\n1\n", 3, ":1: a dense matrix"
    yield "vector", "%%MatrixMarket vector coordinate real general\n", 3, ":1: a vector"
    yield "symmetric_wide", of("2 3 0", "", symmetric), 3, ":2: .*square"
    yield "hermitian_real", BANNER.replace("general", "hermitian"), 3, ":1: only a complex"
    yield "skew_diagonal", of("2 2 1", "1 1 1\n", BANNER.replace("general", "skew-symmetric")), 3, ":3: "
    yield "banner_long", BANNER[:-1] + " " * MB + "\n2 2 0\n", 0, ""
    yield "banner_cut", BANNER[:20], 3, ":1: "
    yield "banner_word", "%%MatrixMarket " + "x" * MB + "\n", 3, ":1: unknown object"
    yield "empty", "", 3, ":1: empty"
    yield "blank", "\n" * 99999, 3, ":99999: empty"
    yield "zeros", "\0" * MB, 3, ":1: no Matrix Market banner"
    yield "zeros_in_entries", of("2 2 1", "1 1 \x001\n"), 3, ":3: "
    yield "utf16", TINY.encode("utf-16"), 3, ":1: no Matrix Market banner"
    yield "byte_order_mark", "\ufeff" + TINY, 0, ""
    yield "binary", b"\x7fELF" + bytes(range(256)) * 999, 3, ":1: no Matrix Market banner"
    yield "no_line_break", of("2 2 1", "1 1 1" + " " * (17 * MB)), 3, ":3: a line is longer"
    yield "comments", of("2 2 1", "%" + "x" * 999 + "\n") + ("%" + "x" * 999 + "\n") * 99, 3, ":102: the text ends"
    yield "columns_2e9", of("3 2000000000 1", "1 1999999999 1\n"), (0, 3), ""


def repeated(kind, text, megabytes):
    """So much of a text of a length that divides a MB, packed. Of zstd only runs
    are: of other texts there is less."""
    if kind != "zst":
        return PACKERS[kind](text * (MB // len(text))) * megabytes
    run = 128 << 10
    if len(text) == 1:
        return zstd(*[(text, run)] * (megabytes * (MB // run)))
    return zstd(*[text * (run // len(text))] * (min(megabytes, 33) * (MB // run)))


def packed():
    """Bombs, damage and nonsense in each kind of packing."""
    for kind, packer in PACKERS.items():
        head = packer(BANNER.encode())
        giant = packer((BANNER + "1000 1000 300000000\n").encode())
        hold = r":\d+: \d+ MB of text hold only"
        yield f"blanks.{kind}", head + repeated(kind, b"\n", 400), 3, hold + " 0 entries"
        yield f"blanks_at_end.{kind}", packer(TINY.encode()) + repeated(kind, b" \n", 400), 3, \
            hold + " 2 entries"
        yield f"comments.{kind}", head + repeated(kind, b"%" + b" " * 62 + b"\n", 400), 3, hold
        yield f"zeros.{kind}", repeated(kind, b"\0", 400), 3, ":1: a line is longer than 16 MB"
        yield f"entries.{kind}", giant + repeated(kind, b"1 1 123\n", 9), 4, \
            ":2: its header says 1000 rows and 300000000 entries"
        yield f"twice.{kind}", packer(packer(TINY.encode())), 3, ":1: no Matrix Market banner"
        yield f"empty.{kind}", packer(b""), 3, ":1: empty"
        yield f"head_only.{kind}", packer(b"x")[:8], 3, ":"
        yield f"garbage.{kind}", packer(b"x")[:8] + bytes(range(256)) * 99, 3, ":"
        yield f"rows.{kind}", packer((BANNER + "134217727 1 0\n").encode()), 4, ":2: its header says"
    text = TINY.encode()
    yield "trailing.gz", gzip.compress(text) + b"trailing", 3, ":.*gzip: incorrect header"
    yield "trailing.xz", lzma.compress(text) + b"trailing", 3, ": Lzma library error"
    yield "trailing.bz2", bz2.compress(text) + b"trailing", 3, ":.*bzip2: what follows"
    yield "trailing.zst", zstd(text) + b"trailing", 3, ":"
    yield "padded.bz2", bz2.compress(text) + bytes(999), 0, ""
    yield "many_empty.bz2", bz2.compress(b"") * 9999 + bz2.compress(text), 0, ""
    yield "padded.gz", gzip.compress(text) + bytes(999), 0, ""
    yield "many_empty.gz", gzip.compress(b"") * 9999 + gzip.compress(text), 0, ""
    yield "length.gz", gzip.compress(text)[:-4] + b"\1\0\0\0", 3, ": gzip: incorrect length"
    yield "checksum.gz", gzip.compress(text)[:-8] + b"\1\2\3\4" + gzip.compress(text)[-4:], 3, \
        ": gzip: incorrect data"
    whole = bytearray(lzma.compress(text))
    whole[16] = 40  # its dictionary: 4 GB
    size = (whole[12] + 1) * 4
    whole[12 + size - 4:12 + size] = struct.pack("<I", zlib.crc32(whole[12:12 + size - 4]))
    yield "dictionary.xz", bytes(whole), (0, 3, 5), ""
    yield "window.zst", zstd(text, window=0xb0), (3, 5), ": "


def archives():
    text = TINY.encode()
    named = ("A/A.mtx", text)
    blanks = gzip.compress(b"\n" * MB) * 300
    yield "bomb_before.tar.gz", gzip.compress(tar_header("x", 300 * MB)) + blanks + \
        gzip.compress(tar([named])), 4, ": .*unpack to"
    yield "bomb_after.tar.gz", gzip.compress(tar([named])[:1024] + tar_header("x", 300 * MB)) + blanks, \
        4, ":.*unpack to"
    yield "bomb_end.tar.gz", gzip.compress(tar([named])) + gzip.compress(bytes(MB)) * 300, 4, ":.*unpack to"
    yield "members.tar.gz", gzip.compress(tar_header("x", 0) * 99999 + tar([named])), (0, 4), ""
    yield "none.tar", tar([("readme", b"x")]), 3, ": .*no member that ends in .mtx"
    yield "size.tar", tar_header("A/A.mtx", 1 << 40) + text, 3, ":1: could not be read: .*[Tt]runcated"
    yield "size_negative.tar", tar_header("A/A.mtx", 0).replace(b"00000000000\0", b"-0000000001\0", 1), 3, ": "
    yield "checksum.tar", tar([named]).replace(b"A/A.mtx", b"A/B.mtx", 1), 3, ": "
    yield "long_name.tar", tar_header("x", 1 << 33, b"L") + text, 3, ": "
    yield "pax.tar", tar_header("x", 1 << 33, b"x") + text, 3, ": "
    yield "pax_size.tar", tar([named], tarfile.PAX_FORMAT, size="99999999999999999999"), (0, 3), ""
    yield "sparse.tar", tar([named], tarfile.PAX_FORMAT, **{
        "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.size": str(1 << 40),
        "GNU.sparse.map": "1099511627000,8"}), 3, ":1: a line is longer"
    yield "device.tar", tar_header("A/A.mtx", 0, b"3") + bytes(1024), 3, ": .*no member"
    yield "cut.tar", tar([named])[:700], 3, ":1: could not be read: .*[Tt]runcated"


def pack_zeros(name, header, size):
    """The archive of small(), where a member is a header and so many zeros."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for other, content in small().items():
            if other != name:
                archive.writestr(other, content)
        with archive.open(name, "w", force_zip64=True) as member:
            member.write(header)
            for _ in range(size // MB):
                member.write(bytes(MB))
    return stream.getvalue()


def arrays():
    """.npz: what is wrong with which member."""
    zeros = lambda dtype, count, size: npy(dtype, (count,), bytes(size))
    n = 25 << 20
    says = "its header says"
    for name, dtype, size in (("data", "<f8", 8), ("indices", "<i8", 8), ("indptr", "<i8", 8)):
        yield f"zeros_{name}.npz", pack_zeros(f"{name}.npy", npy(dtype, (n,), b""), size * n), 4, rf": {name}\.npy: {says}"
        yield f"lies_{name}.npz", pack(small(**{name: zeros(dtype, 10 ** 12, 48)})), 4, rf": {name}\.npy: {says}"
    many = 6 << 20
    yield "empty_rows.npz", pack(small(
        shape=array("<i8", [many - 1, 4]), indptr=zeros("<i4", many, 4 * many),
        indices=array("<i4", []), data=array("<f8", []))), 4, r": shape\.npy: 6291455 rows for 0 entries"
    for layout, extra in (("csc", {"indptr": array("<i4", [0] * 5), "indices": array("<i4", [])}),
                          ("coo", {"row": array("<i4", []), "col": array("<i4", [])})):
        yield f"rows_{layout}.npz", pack(small(
            format=name_of(layout), shape=array("<i8", [10 ** 15, 4]), data=array("<f8", []),
            **extra)), 4, r": shape\.npy: 1000000000000000 rows"
    yield "columns_csc.npz", pack(small(
        format=name_of("csc"), shape=array("<i8", [4, many - 1]), indptr=zeros("<i4", many, 4 * many),
        indices=array("<i4", []), data=array("<f8", []))), 4, r": shape\.npy: .* columns"
    yield "shape_negative.npz", pack(small(shape=array("<i8", [-1, 4]))), 3, r": shape\.npy: "
    yield "shape_large.npz", pack(small(shape=array("<i8", [(1 << 63) - 1, 4]))), 3, r": shape\.npy: "
    yield "indptr_falls.npz", pack(small(indptr=array("<i8", [0, 5, 1, 6]))), 3, r": indptr\.npy: element 2"
    yield "indptr_large.npz", pack(small(indptr=array("<i8", [0, 1, 2, 1 << 62]))), 3, r": indptr\.npy: "
    yield "indices_large.npz", pack(small(indices=array("<i8", [1 << 40] * 6))), 3, r": indices\.npy: element 0"
    yield "object.npz", pack(small(data=npy("|O", (6,), b"cos\nsystem\n"))), 3, r": data\.npy: .*objects"
    yield "header_long.npz", pack(small(data=b"\x93NUMPY\2\0\xff\xff\xff\x7f{")), 3, r": data\.npy: .*header is longer"
    yield "header_deep.npz", pack(small(data=npy("", (), b"", header="{" * 9999))), 3, r": data\.npy: "
    yield "type_large.npz", pack(small(data=npy("<f2147483647", (1 << 40,), b""))), 3, r": data\.npy: "
    yield "no_arrays.npz", pack({"A.mtx": TINY.encode()}), 3, ": .* without format.npy is no sparse matrix"
    yield "other_bomb.npz", pack_zeros("zeros.npy", b"", 100 * MB), 0, ""
    yield "many_members.npz", pack({**small(), **{f"{k}": b"" for k in range(9999)}}), 0, ""
    stored = pack(small(), zipfile.ZIP_STORED)
    for name, old, new in (
            ("method", b"PK\1\2-\3-\0\0\0\0\0", b"PK\1\2-\3-\0\0\0\x63\0"),
            ("encrypted", b"PK\1\2-\3-\0\0\0", b"PK\1\2-\3-\0\1\0"),
            ("signature", b"PK\5\6", b"PK\7\6")):
        assert old in stored, name
        yield f"{name}.npz", stored.replace(old, new), (0, 3), ""
    end = stored.rindex(b"PK\5\6")
    for name, at, new in (("count", 8, b"\xff\xff\xff\xff"), ("table", 12, b"\xff\xff\xff\x7f"),
                          ("offset", 16, b"\xff\xff\xff\x7f"), ("comment", 20, b"\xff\xff")):
        content = stored[:end + at] + new + stored[end + at + len(new):]
        yield f"end_{name}.npz", content, (0, 3), ""
    yield "magic_only.npz", b"PK\3\4", 3, ": "
    yield "noise.npz", b"PK\3\4" + bytes(range(256)) * 999, 3, ": "


def all_files():
    """Names are those of files; each with (status, ...)."""
    for files, suffix in ((plain(), ".mtx"), (packed(), ""), (archives(), ""), (arrays(), "")):
        for name, content, status, pattern in files:
            content = content.encode() if isinstance(content, str) else content
            status = status if isinstance(status, tuple) else (status,)
            yield name + suffix, content, status, pattern
