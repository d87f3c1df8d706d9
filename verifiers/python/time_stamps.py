"""RFC 3161 time stamps, whose signatures the command openssl verifies."""
import datetime
import pathlib
import re
import subprocess
import tempfile

from cryptography.x509 import load_pem_x509_certificates

from strict_formats import Wrong, require, sha256

FILE_MAX, CERTIFICATES_MAX, TOKEN_CERTIFICATES_MAX = 256 * 1024, 32, 8
HASHES = [bytes.fromhex(f"60864801650304020{last}") for last in (1, 2, 3)]  # SHA-256, SHA-384, SHA-512
SIGNATURES = [bytes.fromhex(f"2a864886f70d0101{last}") for last in ("01", "0b", "0c", "0d")] + [
    bytes.fromhex(f"2a8648ce3d04030{last}") for last in (2, 3, 4)]  # RSA, also with each hash; ECDSA with each

def read_der(data, depth=0):
    """The elements of DER, of which each tag has one byte: (tag, bytes, elements inside)."""
    require(depth < 24 or not data, "DER is nested too deeply")
    elements, at = [], 0
    while at < len(data):
        tag, length, at = data[at], data[at + 1], at + 2
        require(tag & 31 != 31 and length != 128, "a tag or length that DER here doesn't have")
        if length > 128:
            digits, at = data[at:at + length - 128], at + length - 128
            length = int.from_bytes(digits, "big")
            require(digits[:1] != b"\0" and length > 127, "a length in DER isn't the shortest")
        content, at = data[at:at + length], at + length
        require(at <= len(data), "an element of DER ends early")
        elements.append((tag, content, read_der(content, depth + 1) if tag & 32 else []))
    return elements

class Token:
    """What a verifier reads of a time stamp itself."""
    def __init__(self, data):
        [(_, _, (_, (_, _, [(_, _, signed)])))] = read_der(data)
        _, (_, _, [(_, _, digests)]), (_, _, (_, (_, _, [(_, content, _)]))), *others, (_, _, [(_, _, signer)]) = signed
        _, (name, *_), (_, _, digest), (attributes, *_), (_, _, signature) = signer[:5]
        [(_, _, (_, _, (_, _, (imprint, message)), _, (kind, time, _), *_))] = read_der(content)
        require(name == 0x30 and attributes == 0xa0, "another name of the signer, or no signed attributes")
        require(digests[0] == digest[0] and digest[0][1] in HASHES and signature[0][1] in SIGNATURES, "an algorithm")
        count = sum(one[0] == 0x30 for tag, _, found in others if tag == 0xa0 for one in found)
        require(count <= TOKEN_CERTIFICATES_MAX, "too many certificates")
        require(kind == 0x18 and re.fullmatch(rb"[0-9]{14}(\.[0-9]*[1-9])?Z", time), "another form of the time")
        moment = datetime.datetime.strptime(time[:14].decode() + "+0000", "%Y%m%d%H%M%S%z")
        self.data, self.seconds = data, str(int(moment.timestamp()))
        self.algorithm, self.hash = imprint[2][0][1], message[1]

class Authorities:
    """Time stamping authorities in a PEM file."""
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read(FILE_MAX + 1)
        data.decode()  # refuses what is not UTF-8
        count = len(load_pem_x509_certificates(data))
        require(len(data) <= FILE_MAX and count <= CERTIFICATES_MAX, "too many certificates")
        self.path = str(pathlib.Path(path).resolve())

    def signed(self, token):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "token")
            path.write_bytes(token.data)
            command = ["openssl", "ts", "-verify", "-token_in", "-in", path, "-digest", token.hash.hex(), "-CAfile",
                       self.path, "-untrusted", self.path, "-attime", token.seconds]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def stamped(self, data, message):
        """Whether one of them stamped a message; refuses what one of them stamped for another message."""
        try:
            token = Token(data)
        except (Wrong, ValueError, TypeError, LookupError):
            return False
        if not self.signed(token):
            return False
        require((token.algorithm, token.hash) == (HASHES[0], sha256(message)), "a time stamp of another message")
        return True
