"""A cache of the Remote Execution API in memory, which misbehaves on demand.

    reapi.py    serves on a free port of loopback until its standard input ends

Its input and its answers are those of `cache.py`, but for `moment`, `delay` and `depth`; the log has the offset at which each
stream was begun: `read 0`, `write 65536`.

Faults: `none`; `breaks` (each stream breaks once in its middle); `unavailable`, `silent`, `refuses`, `echoes` (every call; the
last with the credential); `wrong-bytes`, `endless` (what is read); `lost` (blobs are gone); `no-sha256`, `reads-only`
(what it says that it can do).
"""

import json
import sys
import threading
from concurrent import futures
from urllib.parse import parse_qs

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as re
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as re_grpc
from buildgrid._protos.google.bytestream import bytestream_pb2 as bs
from buildgrid._protos.google.bytestream import bytestream_pb2_grpc as bs_grpc

FAULT = "none"
STOP = threading.Event()
BLOBS, RESULTS, PARTS = {}, {}, {}
SAVED = ({}, {})
BROKEN = set()
LOG = []


def begin(context):
    if FAULT == "unavailable":
        context.abort(grpc.StatusCode.UNAVAILABLE, "not today")
    if FAULT == "refuses":
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?")
    if FAULT == "echoes":
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "you are " + dict(context.invocation_metadata())["authorization"])
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
        answer.cache_capabilities.action_cache_update_capabilities.update_enabled = FAULT != "reads-only"
        return answer

    def GetActionResult(self, request, context):
        begin(context)
        found = RESULTS.get((request.action_digest.hash, request.action_digest.size_bytes))
        if found is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "")
        return found

    def UpdateActionResult(self, request, context):
        begin(context)
        key = request.action_digest
        # The action and its command have to be there.
        action = re.Action.FromString(BLOBS[key.hash])
        assert len(BLOBS[key.hash]) == key.size_bytes
        command = re.Command.FromString(BLOBS[action.command_digest.hash])
        assert command.arguments[0] == "npi-pack" and len(command.arguments) == 2
        assert action.input_root_digest.hash in BLOBS
        assert all(file.digest.hash in BLOBS for file in request.action_result.output_files)
        RESULTS[key.hash, key.size_bytes] = request.action_result
        return request.action_result

    def FindMissingBlobs(self, request, context):
        begin(context)
        missing = [digest for digest in request.blob_digests if digest.hash not in BLOBS]
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
        LOG.append(f"read {request.read_offset}")
        name = request.resource_name.split("/")[-2]
        if FAULT == "lost":
            context.abort(grpc.StatusCode.NOT_FOUND, "")
        data = damaged(BLOBS[name])
        for at in range(request.read_offset, len(data), 65536):
            if FAULT == "breaks" and at > len(data) // 2 and name not in BROKEN:
                BROKEN.add(name)
                context.abort(grpc.StatusCode.UNAVAILABLE, "a break")
            yield bs.ReadResponse(data=data[at : at + 65536])
        while FAULT == "endless":
            yield bs.ReadResponse(data=bytes(65536))

    def Write(self, requests, context):
        begin(context)
        resource = part = None
        for request in requests:
            if resource is None:
                resource = request.resource_name
                part = PARTS.setdefault(resource, bytearray())
                LOG.append(f"write {request.write_offset}")
            assert request.write_offset == len(part)
            part += request.data
            if FAULT == "breaks" and len(part) > 1_000_000 and resource not in BROKEN:
                BROKEN.add(resource)
                context.abort(grpc.StatusCode.UNAVAILABLE, "a break")
            if request.finish_write:
                BLOBS[resource.split("/")[-2]] = bytes(part)
        return bs.WriteResponse(committed_size=len(part))

    def QueryWriteStatus(self, request, context):
        begin(context)
        return bs.QueryWriteStatusResponse(committed_size=len(PARTS.get(request.resource_name, b"")))


server = grpc.server(futures.ThreadPoolExecutor(max_workers=64))
cache = Cache()
re_grpc.add_CapabilitiesServicer_to_server(cache, server)
re_grpc.add_ActionCacheServicer_to_server(cache, server)
re_grpc.add_ContentAddressableStorageServicer_to_server(cache, server)
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
