// A team whose payloads Temporal's server cannot read: here each byte is turned around, which is quickly done.
const ENCODING = Buffer.from('binary/turned');
const turned = (bytes) => Buffer.from(bytes).map((byte) => byte ^ 255);
const packed = (bytes) => Buffer.from(bytes ?? []).toString('base64');

const codec = {
  encode: async (payloads) =>
    payloads.map(({ metadata, data }) => {
      const plain = { encoding: packed(metadata.encoding), data: packed(data) };
      return { metadata: { encoding: ENCODING }, data: turned(Buffer.from(JSON.stringify(plain))) };
    }),
  decode: async (payloads) =>
    payloads.map((payload) => {
      if (!ENCODING.equals(payload.metadata.encoding)) return payload;
      const { encoding, data } = JSON.parse(turned(payload.data).toString());
      return { metadata: { encoding: Buffer.from(encoding, 'base64') }, data: Buffer.from(data, 'base64') };
    }),
};

exports.worker = {
  tools: [],
  taskQueue: process.env.TEST_TASK_QUEUE,
  dataConverter: { payloadCodecs: [codec] },
};
