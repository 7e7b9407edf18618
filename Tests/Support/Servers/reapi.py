"""A server of the Remote Execution API in memory, with one worker, which misbehaves on demand.

    reapi.py [zstd]    serves on a free port of loopback until its standard input ends; with streams compressed by zstd

Its input and its answers are those of `cache.py`, but for `moment`, `delay` and `depth`; the log has the offset at which each
stream was begun, `read 0`, `write 65536`, `write-zstd 0`, and what was asked of the worker: `execute`, `wait`.

Faults: `none`; `breaks` (each stream breaks once in its middle); `unavailable`, `silent`, `refuses`, `echoes` (every call; the
last with the credential); `wrong-bytes`, `endless`, `no-zstd`, `wide` (what is read; the last with a large window); `lost` (blobs are gone); `late` (what is there is
called missing); `unspoken` (no compressed streams, whatever it says); `ends` (a break after the end); `no-sha256`, `reads-only` (what it says that it can do); `no-workers`, `hangs-up` (executions go on after a
break), `forgets` (they do not), `fails`, `wrong-record`, `stuck` (what the worker does), `tells`, `complains` (what is said of
it, with the credential).
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from concurrent import futures
from urllib.parse import parse_qs

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as re
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as re_grpc
from buildgrid._protos.google.bytestream import bytestream_pb2 as bs
from buildgrid._protos.google.bytestream import bytestream_pb2_grpc as bs_grpc
from buildgrid._protos.google.longrunning import operations_pb2
from buildgrid._protos.google.rpc import status_pb2

FAULT = "none"
STOP = threading.Event()
BLOBS, RESULTS, PARTS = {}, {}, {}
SAVED = ({}, {})
OPERATIONS = {}
BROKEN = set()
LOG = []
HAS_ZSTD = "zstd" in sys.argv


def zstd(data, *words):
    return subprocess.run(["zstd", "-qc", *words], input=data, stdout=subprocess.PIPE, check=True).stdout


def begin(context):
    if FAULT == "unavailable":
        context.abort(grpc.StatusCode.UNAVAILABLE, "not today")
    if FAULT == "refuses":
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?")
    if FAULT == "echoes":
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, credential(context))
    if FAULT == "silent":
        STOP.wait()


def damaged(data):
    return bytes(b ^ 1 for b in data) if FAULT == "wrong-bytes" else data


class Cache(re_grpc.CapabilitiesServicer, re_grpc.ActionCacheServicer, re_grpc.ContentAddressableStorageServicer):
    def GetCapabilities(self, request, context):
        begin(context)
        answer = re.ServerCapabilities()
        if FAULT != "no-sha256":
            answer.cache_capabilities.digest_functions.append(re.DigestFunction.SHA256)
        else:
            answer.cache_capabilities.digest_functions.append(re.DigestFunction.MD5)
        if HAS_ZSTD:
            answer.cache_capabilities.supported_compressors.extend([re.Compressor.IDENTITY, re.Compressor.ZSTD])
        answer.cache_capabilities.action_cache_update_capabilities.update_enabled = FAULT != "reads-only"
        answer.execution_capabilities.digest_function = re.DigestFunction.SHA256
        answer.execution_capabilities.exec_enabled = FAULT != "no-workers"
        return answer

    def GetActionResult(self, request, context):
        begin(context)
        found = RESULTS.get((request.action_digest.hash, request.action_digest.size_bytes))
        if found is None or FAULT == "late":
            context.abort(grpc.StatusCode.NOT_FOUND, "")
        return found

    def UpdateActionResult(self, request, context):
        begin(context)
        key = request.action_digest
        # The action and its command have to be there.
        action = re.Action.FromString(BLOBS[key.hash])
        assert len(BLOBS[key.hash]) == key.size_bytes
        command = re.Command.FromString(BLOBS[action.command_digest.hash])
        # It stands for a key.
        assert command.arguments[0] == "npi-pack" and len(command.arguments) == 2
        assert action.input_root_digest.hash in BLOBS
        assert all(file.digest.hash in BLOBS for file in request.action_result.output_files)
        RESULTS[key.hash, key.size_bytes] = request.action_result
        return request.action_result

    def FindMissingBlobs(self, request, context):
        begin(context)
        missing = [digest for digest in request.blob_digests if digest.hash not in BLOBS or FAULT == "late"]
        return re.FindMissingBlobsResponse(missing_blob_digests=missing)

    def BatchUpdateBlobs(self, request, context):
        begin(context)
        answer = re.BatchUpdateBlobsResponse()
        for one in request.requests:
            BLOBS[one.digest.hash] = one.data
            answer.responses.add(digest=one.digest)
        return answer

    def BatchReadBlobs(self, request, context):
        begin(context)
        answer = re.BatchReadBlobsResponse()
        for digest in request.digests:
            one = answer.responses.add(digest=digest)
            if digest.hash in BLOBS and FAULT != "lost":
                one.data = damaged(BLOBS[digest.hash]) + (b"more" if FAULT == "endless" else b"")
            else:
                one.status.code = grpc.StatusCode.NOT_FOUND.value[0]
        return answer


class Stream(bs_grpc.ByteStreamServicer):
    def Read(self, request, context):
        begin(context)
        kind = "-zstd" if "/zstd/" in request.resource_name else ""
        LOG.append(f"read{kind} {request.read_offset}")
        if kind and FAULT == "unspoken":
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "no compression")
        name = request.resource_name.split("/")[-2]
        if FAULT == "lost":
            context.abort(grpc.StatusCode.NOT_FOUND, "")
        # The offset is one of the blob itself, also if what comes is compressed.
        data = damaged(BLOBS[name])[request.read_offset :]
        if kind and FAULT != "no-zstd":
            # Two frames: a stream may have several.
            half = len(data) // 2
            data = zstd(data[:half]) + zstd(data[half:], "--long=27" if FAULT == "wide" else "-19")
        for at in range(0, len(data), 65536):
            if FAULT == "breaks" and at > len(data) // 2 and name not in BROKEN:
                BROKEN.add(name)
                context.abort(grpc.StatusCode.UNAVAILABLE, "a break")
            yield bs.ReadResponse(data=data[at : at + 65536])
        more = zstd(bytes(1 << 24)) if kind else bytes(65536)
        while FAULT == "endless":
            yield bs.ReadResponse(data=more)

    def Write(self, requests, context):
        begin(context)
        resource = part = None
        for request in requests:
            if resource is None:
                resource = request.resource_name
                kind = "-zstd" if "/zstd/" in resource else ""
                part = PARTS.setdefault(resource, bytearray())
                LOG.append(f"write{kind} {request.write_offset}")
                if kind and FAULT == "unspoken":
                    context.abort(grpc.StatusCode.UNIMPLEMENTED, "no compression")
                # Of a stream that is compressed otherwise a server does not know the size.
                if kind and resource.split("/")[-2] in BLOBS:
                    return bs.WriteResponse(committed_size=-1)
            assert request.write_offset == len(part)
            part += request.data
            if FAULT == "breaks" and len(part) > 1_000_000 and resource.split("/")[-2] not in BROKEN:
                BROKEN.add(resource.split("/")[-2])
                context.abort(grpc.StatusCode.UNAVAILABLE, "a break")
            if request.finish_write:
                name, size = resource.split("/")[-2:]
                data = zstd(bytes(part), "-d") if kind else bytes(part)
                if len(data) != int(size) or hashlib.sha256(data).hexdigest() != name:
                    context.abort(grpc.StatusCode.INVALID_ARGUMENT, "other bytes")
                BLOBS[name] = data
                if FAULT == "ends" and name not in BROKEN:
                    BROKEN.add(name)
                    context.abort(grpc.StatusCode.UNAVAILABLE, "a break")
        return bs.WriteResponse(committed_size=len(part))

    def QueryWriteStatus(self, request, context):
        begin(context)
        return bs.QueryWriteStatusResponse(committed_size=len(PARTS.get(request.resource_name, b"")))


class Worker(re_grpc.ExecutionServicer):
    def Execute(self, request, context):
        begin(context)
        LOG.append("execute")
        name = f"operation-{len(OPERATIONS)}"
        OPERATIONS[name] = request.action_digest.hash
        # Without an end: it is under way.
        yield operations_pb2.Operation(name=name)
        if FAULT in ("hangs-up", "forgets") and FAULT not in BROKEN:
            BROKEN.add(FAULT)
            context.abort(grpc.StatusCode.UNAVAILABLE, "a break")
        if FAULT == "stuck":
            STOP.wait()
        if FAULT == "tells":
            operation = operations_pb2.Operation(name=name, done=True)
            operation.response.Pack(re.ExecuteResponse(status=status_pb2.Status(code=3, message=credential(context))))
            yield operation
            return
        operation = ended(name)
        if FAULT == "complains":
            failed = re.ActionResult(exit_code=1, stderr_raw=credential(context).encode())
            operation.response.Pack(re.ExecuteResponse(result=failed))
        yield operation

    def WaitExecution(self, request, context):
        begin(context)
        LOG.append("wait")
        if FAULT == "forgets":
            context.abort(grpc.StatusCode.NOT_FOUND, "which one?")
        yield ended(request.name)


def credential(context):
    return "you are " + dict(context.invocation_metadata())["authorization"]


def ended(name):
    operation = operations_pb2.Operation(name=name, done=True)
    operation.response.Pack(re.ExecuteResponse(result=run(OPERATIONS[name])))
    return operation


def run(action):
    action = re.Action.FromString(BLOBS[action])
    command = re.Command.FromString(BLOBS[action.command_digest.hash])
    with tempfile.TemporaryDirectory() as root:
        lay(root, action.input_root_digest)
        folder = os.path.join(root, command.working_directory)
        environment = {variable.name: variable.value for variable in command.environment_variables}
        done = subprocess.run(command.arguments, cwd=folder, env=environment, capture_output=True)
        out = damaged_record(done.stdout)
        for path in command.output_paths:
            for parent, _, files in os.walk(os.path.join(folder, path)):
                for file in files:
                    with open(os.path.join(parent, file), "rb") as content:
                        data = content.read()
                    BLOBS[hashlib.sha256(data).hexdigest()] = data
    if FAULT == "fails":
        return re.ActionResult(exit_code=3, stderr_raw=b"no room")
    return re.ActionResult(exit_code=done.returncode, stdout_raw=out, stderr_raw=done.stderr)


def damaged_record(data):
    return data[:-1] + b"x" if FAULT == "wrong-record" else data


def lay(place, digest):
    os.makedirs(place, exist_ok=True)
    folder = re.Directory.FromString(BLOBS[digest.hash])
    for nodes in (folder.files, folder.directories, folder.symlinks):
        names = [node.name.encode() for node in nodes]
        assert names == sorted(names)
    for node in folder.files:
        path = os.path.join(place, node.name)
        with open(path, "wb") as file:
            file.write(BLOBS[node.digest.hash])
        os.chmod(path, 0o755 if node.is_executable else 0o644)
    for node in folder.directories:
        lay(os.path.join(place, node.name), node.digest)
    for node in folder.symlinks:
        os.symlink(node.target, os.path.join(place, node.name))


server = grpc.server(futures.ThreadPoolExecutor(max_workers=64))
cache = Cache()
re_grpc.add_CapabilitiesServicer_to_server(cache, server)
re_grpc.add_ActionCacheServicer_to_server(cache, server)
re_grpc.add_ContentAddressableStorageServicer_to_server(cache, server)
re_grpc.add_ExecutionServicer_to_server(Worker(), server)
bs_grpc.add_ByteStreamServicer_to_server(Stream(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
for line in sys.stdin:
    query = parse_qs(line.strip())
    if "fault" in query:
        FAULT = query["fault"][0]
        BROKEN.clear()
        LOG.clear()
    if "save" in query:
        SAVED = (dict(BLOBS), dict(RESULTS))
    if "clear" in query or "load" in query:
        for own, saved in zip((BLOBS, RESULTS), SAVED):
            own.clear()
            own.update(saved if "load" in query else {})
    print(json.dumps({"port": port, "log": LOG, "depth": 0}), flush=True)
STOP.set()
server.stop(0)
