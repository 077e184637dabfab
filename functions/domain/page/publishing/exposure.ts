import { find } from '#functions/domain/dataset/dataset.ts'
import type { HiddenPart } from './hidden-parts.ts'
import { personalKind, type PersonalKind } from './personal.ts'
import type { Context } from '#functions/context.ts'
import { cellText } from '#functions/engine/export/cell.ts'

/** What becomes readable with a public source: all of its fields, and how many records it has. */
interface Exposure {
  sourceId: string
  records: number
  fields: { key: string; name: string; personal: PersonalKind | null }[]
  /** A few records as texts, in the order of `fields`. */
  sample: string[][]
}

/** Records searched for personal data, records shown, and characters shown of each text. */
const [mostRead, mostSamples, longest] = [100, 3, 80]

/** What making these sources public would expose. Only of sources that the actor may see. */
export function readExposures(ctx: Context, parts: readonly HiddenPart[]): Promise<Exposure[]> {
  const sources = parts.filter(({ type, name }) => type === 'source' && name !== null)
  return Promise.all(sources.map(({ id }) => readSourceExposure(ctx, id)))
}

async function readSourceExposure(ctx: Context, sourceId: string): Promise<Exposure> {
  const source = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['dataType.schema', 'sourceStat.count'])
    .where('source.id', '=', sourceId)
    .executeTakeFirstOrThrow()
  const schema = Object.entries(source.schema)
  const { results } = await find(ctx, { sourceId }, { limit: mostRead, count: 'none' })
  const rows = results.map(({ data }) => schema.map(([key, field]) => cellText(data?.[key], field)))
  return {
    sourceId,
    records: Number(source.count ?? 0),
    fields: schema.map(([key, field], i) => ({
      ...{ key, name: field.name },
      personal: personalKind(
        key,
        field,
        rows.map((row) => row[i] ?? ''),
      ),
    })),
    sample: rows.slice(0, mostSamples).map((row) => row.map(shorten)),
  }
}

const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
