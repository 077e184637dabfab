const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Returns the CRC-32 checksum that zip archives use; `before` is the checksum of the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (let i = 0; i < bytes.length; i++)
    crc = (table[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}
