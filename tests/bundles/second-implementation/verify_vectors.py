"""A second verifier, written from docs/plugins/bundle-format.md alone: Python's standard library, and openssl for Ed25519.

python3 verify_vectors.py DIRECTORY judges the vectors below DIRECTORY and ends with `N of N vectors judged alike`.
"""

import base64
import calendar
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unicodedata

SAFE = 2**53 - 1
ID = re.compile(r"[a-z0-9][a-z0-9-]{1,62}")
KEY_ID = re.compile(r"[0-9a-f]{32}")
DIGEST = re.compile(r"[0-9a-f]{64}")
NUMBER = r"(?:0|[1-9][0-9]*)"
IDENTIFIER = rf"(?:{NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
VERSION = re.compile(rf"{NUMBER}\.{NUMBER}\.{NUMBER}(?:-{IDENTIFIER}(?:\.{IDENTIFIER})*)?")
COMPONENT = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+")
ICON = re.compile(r"[a-z][a-z0-9-]{0,31}")
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"(?:{LABEL}\.)+(?![0-9]+$){LABEL}")
CAPABILITIES = {
    "kv:read": False,
    "kv:write": False,
    "log:write": False,
    "node:read": False,
    "http:egress": False,
    "host:firewall": True,
    "host:network": True,
    "host:service": True,
    "host:file": True,
    "host:binary": True,
}
SCOPES = (
    "node:read plan:read log:read audit:read plugin:invoke plan:create plan:apply node:admin storage:read storage:write "
    "terminal:open terminal:watch plan:approve plugin:admin storage:admin user:admin token:admin settings:admin"
).split()


class Refused(Exception):
    """The reason code of a bundle that is not accepted."""


def need(condition, code):
    if not condition:
        raise Refused(code)


# --- files


def open_bundle(directory, name):
    need(ID.fullmatch(name), "bundle.name_invalid")
    path = os.path.join(directory, name)
    need(os.path.lexists(path), "bundle.file_missing")
    need(stat.S_ISDIR(os.lstat(path).st_mode), "bundle.not_a_directory")
    entries = os.listdir(path)
    need(not set(entries) - {"manifest.json", "artifact"}, "bundle.unexpected_entry")
    need(len(entries) == 2, "bundle.file_missing")
    manifest = read_file(os.path.join(path, "manifest.json"), 65_536, "bundle.manifest_too_large")
    artifact = read_file(os.path.join(path, "artifact"), 134_217_728, "bundle.artifact_too_large")
    return manifest, artifact


def read_file(path, most, too_large):
    need(stat.S_ISREG(os.lstat(path).st_mode), "bundle.not_a_regular_file")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except PermissionError:
        raise Refused("bundle.unreadable") from None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        need(found.st_nlink == 1, "bundle.hard_link")
        need(found.st_size <= most, too_large)
        return file.read()


# --- the manifest's bytes


def parse_strict(data):
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=members, parse_constant=refuse_constant)
        check_values(value, 1, {"keys": 0, "items": 0})
        return value
    except (ValueError, RecursionError):
        raise Refused("bundle.manifest_malformed") from None


def members(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys) or {"__proto__", "constructor", "prototype"} & set(keys):
        raise ValueError("keys")
    return dict(pairs)


def refuse_constant(name):
    raise ValueError(name)


def check_values(value, depth, counts):
    if isinstance(value, str):
        value.encode("utf-8")  # A lone surrogate has no UTF-8.
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if value in (float("inf"), float("-inf")) or (value == int(value) and abs(value) > SAFE):
            raise ValueError("number")
    elif isinstance(value, (dict, list)):
        counts["keys" if isinstance(value, dict) else "items"] += len(value)
        if depth > 32 or counts["keys"] > 10_000 or counts["items"] > 100_000:
            raise ValueError("size")
        for key in value if isinstance(value, dict) else ():
            check_values(key, depth, counts)
        for inner in value.values() if isinstance(value, dict) else value:
            check_values(inner, depth + 1, counts)


def byte_form(value):
    return (json.dumps(in_order(value), ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def in_order(value):
    if isinstance(value, float):
        raise Refused("bundle.manifest_not_canonical")
    if isinstance(value, list):
        return [in_order(item) for item in value]
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value, key=units)}
    return value


def units(text):
    return text.encode("utf-16-be", "surrogatepass")


# --- the manifest's fields


def check_fields(manifest):
    fields = "schema id name version publisher runner capabilities artifact contributions"
    is_object(manifest, fields, "egress expiresAt signatures")
    is_id(manifest["id"])
    is_label(manifest["name"])
    is_text(manifest["version"], VERSION, 64)
    is_id(manifest["publisher"])
    ok(manifest["runner"] in ("system", "worker", "wasm"))
    ok(isinstance(manifest["capabilities"], list))
    ok(all(isinstance(name, str) and name in CAPABILITIES for name in manifest["capabilities"]))
    is_sorted(manifest["capabilities"])
    is_object(manifest["artifact"], "sha256 size")
    is_text(manifest["artifact"]["sha256"], DIGEST, 64)
    size = manifest["artifact"]["size"]
    ok(type(size) is int and 1 <= size <= 134_217_728)
    ok(("egress" in manifest) == ("http:egress" in manifest["capabilities"]))
    if "egress" in manifest:
        is_object(manifest["egress"], "hosts")
        hosts = is_list(manifest["egress"]["hosts"], 32)
        ok(len(hosts) > 0)
        for host in hosts:
            is_text(host, HOST, 253)
        is_sorted(hosts)
    is_object(manifest["contributions"], "nav enhancements")
    check_nav(is_list(manifest["contributions"]["nav"], 16), manifest["id"])
    for enhancement in is_list(manifest["contributions"]["enhancements"], 16):
        is_object(enhancement, "surface component")
        ok(enhancement["surface"] == "fleet.map")
        is_text(enhancement["component"], COMPONENT, 64)
    if "expiresAt" in manifest:
        ok(moment(manifest["expiresAt"]) is not None)
    signatures = is_list(manifest.get("signatures", []), 8)
    for signature in signatures:
        is_object(signature, "keyId ed25519")
        is_text(signature["keyId"], KEY_ID, 32)
        ok(len(from_base64(signature["ed25519"]) or b"") == 64)
    is_sorted([signature["keyId"] for signature in signatures])


def check_nav(entries, plugin):
    for entry in entries:
        is_object(entry, "component title path", "icon scope")
        is_text(entry["component"], COMPONENT, 64)
        is_label(entry["title"])
        is_text(entry["path"], re.compile(rf"/apps/{re.escape(plugin)}(?:/[a-z0-9-]+)*"), 200)
        if "icon" in entry:
            is_text(entry["icon"], ICON, 32)
        ok("scope" not in entry or entry["scope"] in SCOPES)
    paths = [entry["path"] for entry in entries]
    ok(len(set(paths)) == len(paths))


def ok(condition):
    need(condition, "bundle.manifest_invalid")


def is_object(value, required, optional=""):
    ok(isinstance(value, dict))
    ok(set(required.split()) <= set(value) <= set(required.split()) | set(optional.split()))


def is_list(value, most):
    ok(isinstance(value, list) and len(value) <= most)
    return value


def is_text(value, pattern, most):
    ok(isinstance(value, str) and len(value) <= most and pattern.fullmatch(value))


def is_id(value):
    is_text(value, ID, 63)


def is_label(value):
    ok(isinstance(value, str) and 1 <= len(value) <= 80 and value == value.strip(" "))
    for character in value:
        category = unicodedata.category(character)
        ok(category not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and (category != "Zs" or character == " "))


def is_sorted(items):
    ok(items == sorted(set(items), key=units))


def moment(text):
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", text):
        return None
    try:
        seconds = calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError:
        return None
    return seconds if time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) == text else None


def from_base64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        return None
    return data if base64.b64encode(data).decode() == text else None


# --- the verdict


def judge(directory, entry, policy, now, runners):
    data, artifact = open_bundle(directory, entry)
    manifest = parse_strict(data)
    need(byte_form(manifest) == data, "bundle.manifest_not_canonical")
    schema = manifest.get("schema") if isinstance(manifest, dict) else None
    need(type(schema) is int and schema == 1, "bundle.schema_unknown")
    declared = manifest.get("capabilities")
    texts = [name for name in declared if isinstance(name, str)] if isinstance(declared, list) else []
    need(all(name in CAPABILITIES for name in texts), "bundle.capability_unknown")
    check_fields(manifest)
    need(manifest["id"] == entry, "bundle.id_mismatch")
    publisher = check_signatures(manifest, policy, now)

    prefixes = publisher["idPrefixes"]
    owned = [p for p in prefixes if (entry.startswith(p) if p.endswith("-") else entry == p)]
    need(owned, "bundle.id_outside_prefixes")
    need(set(manifest["capabilities"]) <= set(publisher["capabilities"]), "bundle.capability_beyond_ceiling")
    need(manifest["runner"] in runners, "bundle.runner_not_enabled")
    risky = any(CAPABILITIES[name] for name in manifest["capabilities"])
    need(not risky or manifest["runner"] == "system", "bundle.host_risk_refused")
    need("expiresAt" not in manifest or moment(manifest["expiresAt"]) > now, "bundle.expired")
    need(len(artifact) == manifest["artifact"]["size"], "bundle.artifact_digest_mismatch")
    digest = hashlib.sha256(artifact).hexdigest()
    need(digest == manifest["artifact"]["sha256"], "bundle.artifact_digest_mismatch")
    need(digest not in policy.get("revoked", {}).get("digests", []), "bundle.digest_revoked")


def check_signatures(manifest, policy, now):
    signatures = manifest.get("signatures", [])
    need(signatures, "bundle.unsigned")
    publisher = policy["publishers"].get(manifest["publisher"])
    need(publisher is not None, "bundle.publisher_not_trusted")
    keys = {key["id"]: key for key in publisher["keys"]}
    counted = [one for one in signatures if one["keyId"] in keys]
    need(counted, "bundle.publisher_not_trusted")
    revoked = policy.get("revoked", {}).get("keys", [])
    counted = [one for one in counted if one["keyId"] not in revoked]
    need(counted, "bundle.key_revoked")
    ends = {name: moment(key["notAfter"]) for name, key in keys.items() if "notAfter" in key}
    counted = [one for one in counted if ends.get(one["keyId"], now) >= now]
    need(counted, "bundle.key_expired")
    unsigned = {key: value for key, value in manifest.items() if key != "signatures"}
    payload = b"gatehouse-plugin-manifest-v1\n" + byte_form(unsigned)
    for one in counted:
        public_key = from_base64(keys[one["keyId"]]["publicKey"])
        need(is_valid(public_key, payload, from_base64(one["ed25519"])), "bundle.invalid_signature")
    need(len(counted) >= publisher.get("threshold", 1), "bundle.threshold_not_met")
    return publisher


def is_valid(public_key, payload, signature):
    with tempfile.TemporaryDirectory() as scratch:
        names = {"key": bytes.fromhex("302a300506032b6570032100") + public_key, "payload": payload, "signature": signature}
        paths = {name: os.path.join(scratch, name) for name in names}
        for name, data in names.items():
            with open(paths[name], "wb") as file:
                file.write(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths["key"], "-rawin"]
        command += ["-in", paths["payload"], "-sigfile", paths["signature"]]
        return subprocess.run(command, capture_output=True, timeout=30, check=False).returncode == 0


# --- the vectors


def plant(step, at):
    path = at(step["path"])
    if step["do"] == "write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(step["text"])
    elif step["do"] == "directory":
        os.mkdir(path)
    elif step["do"] == "symlink":
        os.symlink(step["target"], path)
    elif step["do"] == "hardlink":
        os.link(path, at(step["to"]))
    elif step["do"] == "fifo":
        os.mkfifo(path)
    elif step["do"] == "size":
        os.truncate(path, step["size"])
    elif step["do"] == "chmod":
        os.chmod(path, int(step["mode"], 8))
    elif step["do"] == "move":
        os.rename(path, at(step["to"]))
    elif step["do"] == "remove":
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    else:
        raise ValueError(step["do"])


def code_of(root, vector, scratch):
    directory = os.path.join(scratch, vector["name"])
    shutil.copytree(os.path.join(root, vector["directory"]), directory)
    for step in vector["plant"]:
        plant(step, lambda path: os.path.join(directory, path))
    with open(os.path.join(root, vector["trust"]), encoding="utf-8") as file:
        policy = json.load(file)
    try:
        judge(directory, vector["entry"], policy, moment(vector["now"]), vector["enabledRunners"])
    except Refused as refused:
        return str(refused)
    return None


def main(root):
    with open(os.path.join(root, "index.json"), encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    if os.getuid() == 0:
        skipped = [one["name"] for one in vectors if any(step["do"] == "chmod" for step in one["plant"])]
        print(f"left out, because root reads everything: {', '.join(skipped)}")
        vectors = [one for one in vectors if one["name"] not in skipped]
    alike = 0
    with tempfile.TemporaryDirectory() as scratch:
        for vector in vectors:
            code = code_of(root, vector, scratch)
            if code == vector["code"] and (code is None) == vector["accepted"]:
                alike += 1
            else:
                print(f"{vector['name']}: expected {vector['code']}, found {code}")
    print(f"{alike} of {len(vectors)} vectors judged alike")
    return 0 if alike == len(vectors) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
