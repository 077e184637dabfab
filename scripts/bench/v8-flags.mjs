/**
 * Runs between Miniflare, which has no setting for V8 flags, and workerd: copies the configuration from
 * standard input to standard output and adds the flags given as arguments. The configuration is a Cap'n Proto
 * message, whose root has its list of flags as the third pointer (`Config` in workerd.capnp).
 */
const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
process.stdout.write(withFlags(Buffer.concat(chunks), process.argv.slice(2)))

function withFlags(message, flags) {
  const segments = message.readUInt32LE(0) + 1
  const begin = 8 * Math.ceil((4 + 4 * segments) / 8)
  const words = message.readUInt32LE(4)
  const first = message.subarray(begin, begin + 8 * words)
  const root = first.readInt32LE(0)
  const slot = 1 + (root >> 2) + first.readUInt16LE(4) + 2
  if ((root & 3) !== 0 || first.readUInt16LE(6) < 3 || first.readBigUInt64LE(8 * slot) !== 0n)
    throw new Error('This is no configuration of workerd without flags.')
  const texts = flags.map((flag) => Buffer.concat([Buffer.from(flag), Buffer.alloc(8 - (flag.length % 8))]))
  const flagBytes = Buffer.alloc(8 * flags.length)
  first.writeInt32LE(((words - slot - 1) << 2) | 1, 8 * slot)
  first.writeUInt32LE((flags.length << 3) | 6, 8 * slot + 4)
  let at = flags.length
  texts.forEach((text, i) => {
    flagBytes.writeInt32LE(((at - i - 1) << 2) | 1, 8 * i)
    flagBytes.writeUInt32LE(((flags[i].length + 1) << 3) | 2, 8 * i + 4)
    at += text.length / 8
  })
  message.writeUInt32LE(words + at, 4)
  return Buffer.concat([
    message.subarray(0, begin + 8 * words),
    flagBytes,
    ...texts,
    message.subarray(begin + 8 * words),
  ])
}
