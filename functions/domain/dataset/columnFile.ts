import { aboutOf } from './exportAbout.ts'
import { recordSource } from './exportSource.ts'
import { open, type Dataset } from './open.ts'
import { profilesOf } from './profiles.ts'
import type { Context } from '#functions/context.ts'
import { ColumnFileWriter, mostChoices, type WholeColumn } from '#functions/engine/table/columnFile.ts'
import type { FieldProfile, FieldStat } from '#functions/shapes/fieldProfile.ts'

/** Of more records not even one column of numbers and the ids would be small enough. */
const mostRows = 500_000

/** Of a source that is too large so many records stand in its file, the first ten pages of a table; of very long ones one page. */
const firstRecords = [500, 50]

/**
 * All public records of a source by column, in the order of a list; of one that has too many, or too long ones, to be read by the edge
 * the first 500, with what is known of the columns of all; null where not even 50 of them are short enough. `most` (bytes of memory) is
 * how much the edge reads of one. Throws when the data are not of the version, or not as many, as is said: they changed meanwhile.
 */
export async function writeColumnFile(
  ctx: Context,
  sourceId: string,
  { version, rows, most }: { version: number; rows: number; most?: number },
): Promise<Uint8Array | null> {
  for (const count of rows > mostRows ? firstRecords : [rows, ...firstRecords]) {
    const file = await writeRecords(ctx, sourceId, { version, rows, count, most })
    if (file) return file
  }
  return null
}

/** The first `count` records of a source; null when they are too large. */
async function writeRecords(
  ctx: Context,
  sourceId: string,
  { version, rows, count, most }: { version: number; rows: number; count: number; most: number | undefined },
): Promise<Uint8Array | null> {
  const scope = { sourceId }
  // A part of the records comes in the order of a list; one more than all is that part too where there are none.
  const isWhole = count === rows
  const limit = isWhole ? rows + 1 : count
  const question = { limit }
  const limits = { defaultLimit: limit, maxLimit: limit }
  const dataset = await open(ctx, scope, { maxVisibility: 'public', limits, question })
  const about = await aboutOf(ctx, dataset, scope)
  const source = await recordSource(ctx, dataset, 'json', question, about)
  if (about.version !== String(version) || source.count !== Math.min(rows, limit))
    throw new Error('The data changed meanwhile.')
  const writer = new ColumnFileWriter(dataset.schema, isWhole ? most : undefined)
  for await (const page of source.pages('fields'))
    for (const { id, data } of page) if (!writer.add(id ?? '', data)) return null
  return writer.finish(isWhole ? undefined : { rows, columns: await wholeColumns(ctx, dataset) })
}

/** What is known of all values of the columns of a source: what is counted with every write, and the profile where it is of these data. */
async function wholeColumns(ctx: Context, dataset: Dataset): Promise<Map<string, WholeColumn>> {
  const [source] = dataset.sources
  const { profiles } = await profilesOf(ctx, dataset)
  return new Map(
    Object.keys(dataset.schema).map((key) => [
      key,
      wholeColumn(source?.stat.fields[key], profiles.get(key) ?? null),
    ]),
  )
}

function wholeColumn(stat: FieldStat | undefined, profile: FieldProfile | null): WholeColumn {
  const choices = choicesOf(stat, profile)
  const [min, max] = [stat?.min ?? profile?.min, stat?.max ?? profile?.max]
  return {
    empty: stat?.nulls ?? profile?.empty ?? 0,
    ...(profile?.distinct && { distinct: profile.distinct.count }),
    ...(choices && { choices }),
    ...(min != null && { min }),
    ...(max != null && { max }),
  }
}

/** The most frequent texts with their counts; undefined where these are not known to be exact. A text that was cut is no choice. */
function choicesOf(stat: FieldStat | undefined, profile: FieldProfile | null): WholeColumn['choices'] {
  if (stat?.values)
    return Object.entries(stat.values)
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, mostChoices)
  const top = profile?.top
  if (!top || top.tooLowBy !== undefined) return undefined
  return top.values.flatMap(({ value, count }) =>
    typeof value === 'string' && value.length < longestInProfile ? [{ value, count }] : [],
  )
}

/** Longer texts are cut in a profile. */
const longestInProfile = 100
