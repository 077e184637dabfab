interface Table {
  tag: number
  sum: number
  data: Uint8Array
}

const nameTag = 0x6e616d65
const pad = (length: number) => (length + 3) & ~3

/** Converts a WOFF 1.0 font to TrueType (w3.org/TR/WOFF), with a new family name. Throws for invalid fonts. */
export async function trueType(woff: ArrayBuffer, family: string): Promise<Uint8Array> {
  const view = new DataView(woff)
  if (view.byteLength < 44 || view.getUint32(0) !== 0x774f4646)
    throw new Error('This is no font in WOFF 1.0.')
  const count = view.getUint16(12)
  const tables = await Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Table> => {
      const entry = 44 + index * 20
      const tag = view.getUint32(entry)
      const packed = new Uint8Array(woff, view.getUint32(entry + 4), view.getUint32(entry + 8))
      const length = view.getUint32(entry + 12)
      const data =
        tag === nameTag ? buildNameTable(family) : packed.length < length ? await unpack(packed) : packed
      return { tag, sum: view.getUint32(entry + 16), data }
    }),
  )
  const start = 12 + 16 * count
  const font = new Uint8Array(tables.reduce((size, { data }) => size + pad(data.length), start))
  const out = new DataView(font.buffer)
  out.setUint32(0, view.getUint32(4))
  out.setUint16(4, count)
  let at = start
  tables.forEach(({ tag, sum, data }, index) => {
    const entry = 12 + 16 * index
    ;[tag, sum, at, data.length].forEach((value, word) => out.setUint32(entry + word * 4, value))
    font.set(data, at)
    at += pad(data.length)
  })
  return font
}

async function unpack(packed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream()
  return new Uint8Array(
    await new Response(stream.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer(),
  )
}

/** A name table with only the family, for Windows in English (OpenType, `name`, format 0). */
function buildNameTable(family: string): Uint8Array {
  const ids = [1, 4, 6]
  const table = new Uint8Array(6 + ids.length * 12 + family.length * 2)
  const view = new DataView(table.buffer)
  const words = [0, ids.length, 6 + ids.length * 12]
  for (const id of ids) words.push(3, 1, 0x409, id, family.length * 2, 0)
  words.push(...Array.from(family, (char) => char.charCodeAt(0)))
  words.forEach((word, index) => view.setUint16(index * 2, word))
  return table
}
