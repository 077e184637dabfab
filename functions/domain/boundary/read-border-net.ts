import type { Context } from '#functions/context.ts'
import { NetBuilder, type BorderNet } from '#functions/engine/region/border-net.ts'
import { readRings } from '#functions/engine/tile/twkb.ts'
import { readExactAreas } from './read-exact-areas.ts'

/** The properties of an area for pictures and maps. `gid` is valid within this edition only. */
export interface ShapeProperties {
  gid: string
  code: string
  name: string
}

/**
 * The borders of a set in typed arrays, and its areas in the same order. Areas are read in batches, which bounds the
 * memory for plain lists.
 */
export async function readNet(
  ctx: Pick<Context, 'db'>,
  set: { id: string; edition: number; vertexCount: number },
): Promise<{ net: BorderNet; areas: ShapeProperties[] }> {
  const builder = new NetBuilder(set.vertexCount)
  const areas: ShapeProperties[] = []
  for await (const { number, code, name, twkb } of readExactAreas(ctx, set)) {
    builder.add(readRings(twkb))
    areas.push({ gid: `a${number}`, code, name })
  }
  return { net: builder.finish(), areas }
}
