// Asks Perfetto's trace processor, the build of it for browsers, about trace files.
//
// usage: node query.js FOLDER FILE < queries
//
// FOLDER holds engine_bundle.js and the .wasm files, as the web interface ships them. Standard input is a JSON array of
// SQL texts; standard output gets a JSON array with {columns, rows} or {error} for each. The bundle is a web worker: it
// runs in a context with the few things that it uses of a worker's world, and is spoken to through its message port, in
// the trace processor's RPC protocol (TraceProcessorRpc of trace_processor.proto).
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const METHOD = { append: 1, finalize: 2, query: 3 };
const CHUNK_BYTES = 16 << 20;

// --- Protobuf: as much as these messages need ---

function varint(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  bytes.push(value);
  return Buffer.from(bytes);
}

const varintField = (number, value) => Buffer.concat([varint(number * 8), varint(value)]);
const bytesField = (number, bytes) => Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);

/** The varint at `at` of `bytes`, as a signed BigInt of 64 bits, and the place after it. */
function readVarint(bytes, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [BigInt.asIntN(64, value), at];
  }
}

/** Yields [number, value]: a BigInt, or the bytes of a field that has a length. */
function* fields(bytes) {
  for (let at = 0; at < bytes.length; ) {
    let key, value;
    [key, at] = readVarint(bytes, at);
    const kind = Number(key & 7n);
    if (kind === 0) {
      [value, at] = readVarint(bytes, at);
    } else {
      let length;
      if (kind === 2) [length, at] = readVarint(bytes, at);
      else length = kind === 1 ? 8 : 4;
      value = bytes.subarray(at, at + Number(length));
      at += Number(length);
    }
    yield [Number(key >> 3n), value];
  }
}

function packedVarints(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length; ) {
    let value;
    [value, at] = readVarint(bytes, at);
    values.push(value);
  }
  return values;
}

function packedDoubles(bytes) {
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(i * 8));
}

// --- The trace processor ---

/** Starts the worker. `onReply` gets the bytes that it sends. Returns the function that sends it bytes. */
async function startWorker(folder, onReply) {
  class LocalFileRequest {
    open(method, name) {
      this.path = path.join(folder, path.basename(name));
    }
    send() {
      const bytes = fs.readFileSync(this.path);
      this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    }
  }
  const self = { location: { href: "file:///worker.js" } };
  const silent = { log() {}, warn() {}, error() {}, debug() {} };
  const world = vm.createContext({
    self, console: silent, XMLHttpRequest: LocalFileRequest, WorkerGlobalScope: Object, performance, URL, TextDecoder,
    TextEncoder, setTimeout, crypto: globalThis.crypto,
  });
  vm.runInContext(fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8"), world);
  const port = { postMessage: (bytes) => onReply(Buffer.from(bytes)) };
  self.onmessage({ data: port });
  await new Promise((resolve) => setTimeout(resolve, 0)); // The bridge sets up its buffer when the module has run.
  const ItsBytes = vm.runInContext("Uint8Array", world);
  return (bytes) => port.onmessage({ data: new ItsBytes(bytes) });
}

class TraceProcessor {
  static async start(folder) {
    const processor = new TraceProcessor();
    processor.send = await startWorker(folder, (bytes) => (processor.inbox = Buffer.concat([processor.inbox, bytes])));
    return processor;
  }

  inbox = Buffer.alloc(0);
  sequence = 0;

  /** Calls a method and returns the fields of all its replies. */
  call(method, ...args) {
    const request = Buffer.concat([varintField(1, this.sequence++), varintField(2, method), ...args]);
    this.inbox = Buffer.alloc(0);
    this.send(bytesField(1, request));
    const replies = [...fields(this.inbox)].map(([, reply]) => [...fields(reply)]);
    for (const reply of replies)
      for (const [number, value] of reply) if (number === 5) throw new Error(`trace processor: ${value}`);
    if (replies.length === 0) throw new Error("trace processor: no reply");
    return replies.flat();
  }

  load(file) {
    const bytes = fs.readFileSync(file);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      this.check(this.call(METHOD.append, bytesField(101, bytes.subarray(at, at + CHUNK_BYTES))), 201);
    this.check(this.call(METHOD.finalize), 211);
  }

  /** Throws if the result has an error: AppendTraceDataResult has it at 2, FinalizeDataResult at 1. */
  check(reply, number) {
    const errorField = number === 201 ? 2 : 1;
    for (const [field, result] of reply)
      if (field === number)
        for (const [inner, text] of fields(result)) if (inner === errorField && text.length) throw new Error(`${text}`);
  }

  query(sql) {
    const columns = [];
    const rows = [];
    let row = [];
    for (const [number, result] of this.call(METHOD.query, bytesField(103, bytesField(1, Buffer.from(sql))))) {
      if (number !== 203) continue;
      for (const [field, value] of fields(result)) {
        if (field === 1) columns.push(value.toString());
        if (field === 2 && value.length) return { error: value.toString() };
        if (field !== 3) continue;
        for (const cell of cellsOf(value)) {
          row.push(cell);
          if (row.length === columns.length) rows.push(row.splice(0));
        }
      }
    }
    return { columns, rows };
  }
}

/** The values of a CellsBatch, in order. */
function cellsOf(batch) {
  const parts = { 2: [], 3: [], 4: [], 5: [] };
  let kinds = [];
  for (const [number, value] of fields(batch)) {
    if (number === 1) kinds = packedVarints(value);
    if (number === 2) parts[2] = packedVarints(value).map(Number);
    if (number === 3) parts[3] = packedDoubles(value);
    if (number === 4) parts[5].push(value.toString("hex"));
    if (number === 5) parts[4] = value.toString().split("\0");
  }
  return kinds.map((kind) => (kind === 1n ? null : parts[Number(kind)].shift()));
}

async function main([folder, file]) {
  const processor = await TraceProcessor.start(folder);
  processor.load(file);
  const queries = JSON.parse(fs.readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(queries.map((sql) => processor.query(sql))) + "\n");
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
