import type { Position } from 'geojson'
import { readRings } from '#functions/engine/tile/twkb.ts'
import type { ReadPart } from '#functions/engine/table/column-file.ts'

/*
 * A file with the exact areas of a set, of which one is read at a time: pictures have coarser ones, and records near a
 * border would be on the wrong side of it.
 *
 * 4 bytes   length of the header, little endian
 * header    JSON, `OutlinesHead`
 * areas     each as Tiny WKB with 7 decimals, at the offsets in the header
 */

interface OutlinesHead {
  edition: number
  /** Several with the same code are one area in parts. */
  areas: [code: string, offset: number, bytes: number][]
}

/** Writes the file of an edition of a set. */
export function writeOutlines(
  edition: number,
  areas: readonly { code: string; twkb: Uint8Array }[],
): Uint8Array {
  let offset = 0
  const head: OutlinesHead = {
    edition,
    areas: areas.map(({ code, twkb }) => {
      const at = offset
      offset += twkb.length
      return [code, at, twkb.length]
    }),
  }
  const headBytes = new TextEncoder().encode(JSON.stringify(head))
  const file = new Uint8Array(4 + headBytes.length + offset)
  new DataView(file.buffer).setUint32(0, headBytes.length, true)
  file.set(headBytes, 4)
  let at = 4 + headBytes.length
  for (const { twkb } of areas) {
    file.set(twkb, at)
    at += twkb.length
  }
  return file
}

/** Areas are read completely up to this size: a million corners would not fit into an isolate as lists. */
const maxBytes = 2_000_000

/**
 * The rings of the areas with a code; null in a file of another edition, where no area has the code, and where they are
 * too large for the edge.
 */
export async function readOutline(
  readPart: ReadPart,
  { edition, code }: { edition: number; code: string },
): Promise<Position[][] | null> {
  const start = await readPart(0, 4)
  const length = new DataView(start.buffer, start.byteOffset).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(await readPart(4, length))) as OutlinesHead
  if (head.edition !== edition) return null
  const parts = head.areas.filter(([each]) => each === code)
  if (parts.length === 0 || parts.reduce((all, [, , bytes]) => all + bytes, 0) > maxBytes) return null
  const rings: Position[][] = []
  for (const [, offset, bytes] of parts)
    for (const { at } of readRings(await readPart(4 + length + offset, bytes)))
      rings.push(Array.from({ length: at.length / 2 }, (_, i) => [at[2 * i] ?? 0, at[2 * i + 1] ?? 0]))
  return rings
}
