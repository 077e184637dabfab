import { openImporterFixture, origin, type ImporterFixture } from '#functions/domain/importer/job/testing.ts'
import { toPictureSubject } from '#functions/domain/insight/insight-subject.ts'
import { describeAnswer } from '#functions/engine/picture/subject.ts'
import type { Output } from '#functions/shapes/analytics.ts'
import type { Answer } from '#functions/domain/dataset/dataset.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { allLanguages, type Locale } from '#functions/shapes/locale.ts'
import { sendAs } from '#functions/v1/testing/http.testing.ts'
import type { TestContext } from '#db/worlds/world.ts'
import type { GivenAnswer } from './oracle-answer.ts'
import type { FigureQuery, World } from './worlds.ts'

/** The languages in which sentences are compared. */
export const languages = allLanguages

/** The product's response to a question: the API's answer, and the sentence for readers in each language. */
export interface FigureReading {
  answer: GivenAnswer
  sentences: Record<Locale, string>
}

/** The product with sources imported from files. */
export interface Product {
  /** Imports the file of a world; returns the number of records. */
  importWorld(world: World): Promise<number>
  /** Asks a question through `/v1` and has the answer described in every language. */
  ask(world: World, figure: FigureQuery): Promise<FigureReading>
  /**
   * Saves the question as an insight and reads the sentence from the insight's own file, which must equal
   * that of `ask`.
   */
  askSaved(world: World, figure: FigureQuery): Promise<{ summary: string; rows: number }>
  close(): Promise<void>
}

const getWorldId = (world: World) => `world-${world.seed}`
const getPlaceId = (world: World) => `place-${world.zone.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`

/** Opens the product on a database of its own. */
export async function openProduct(): Promise<Product> {
  const bed = await openImporterFixture()
  const reader = bed.world.as('system')
  const places = new Set<string>()
  return {
    async importWorld(world) {
      const { db } = reader
      const [id, placeId] = [getWorldId(world), getPlaceId(world)]
      const own = { id, placeId, name: id, createdBy: null }
      if (!places.has(placeId)) {
        places.add(placeId)
        const look = { theme: '{}', mapConfiguration: '{}', createdBy: null }
        await db
          .insertInto('place')
          .values({ id: placeId, name: placeId, displayName: placeId, timeZone: world.zone, ...look })
          .execute()
      }
      await db
        .insertInto('dataType')
        .values({ id, name: id, schema: JSON.stringify(buildSchema(world)), createdBy: null })
        .execute()
      await db
        .insertInto('source')
        .values({ ...own, dataTypeId: id, visibility: 'public' })
        .execute()
      bed.files.set(`/${id}.csv`, world.csv)
      const sources = JSON.stringify([{ url: `${origin}/${id}.csv`, parser: 'csv' }])
      await db
        .insertInto('importer')
        .values({ ...own, sourceId: id, sources, mapping: '{}' })
        .execute()
      return imported(bed, id, placeId)
    },
    ask: (world, figure) => ask(reader, world, figure),
    askSaved: (world, figure) => askSaved(reader, world, figure),
    close: () => bed.close(),
  }
}

async function imported(bed: ImporterFixture, id: string, placeId: string): Promise<number> {
  const call = { params: { sourceId: id, importerId: id }, options: {}, data: undefined, placeId }
  const { run } = await import('#functions/domain/importer/run.ts')
  if (!(await run(bed.system(), call))) throw new Error('There is such an importer.')
  await bed.finish()
  const { status, error, counts } = await bed.job(id)
  if (status !== 'succeeded' || counts.rejected !== 0)
    throw new Error(`${id} did not come in: ${status} ${error} ${JSON.stringify(counts)}`)
  return counts.created ?? 0
}

/** The data type of a world's file, as profiling the file would propose it. */
function buildSchema({ fields, precision }: World): FieldSchema {
  return Object.fromEntries(
    Object.entries(fields).map(([key, { name, kind }]) => {
      if (kind === 'calendar') return [key, { name, type: 'date' as const, precision }]
      return [key, { name, type: kind === 'instant' ? ('date' as const) : kind }]
    }),
  )
}

async function ask(reader: TestContext, world: World, figure: FigureQuery): Promise<FigureReading> {
  const path = `/places/${getPlaceId(world)}/sources/${getWorldId(world)}/analytics`
  const query = new URLSearchParams(
    Object.entries(figure.question).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const { status, text, json } = await sendAs(reader, 'GET', `${path}?${query.toString()}`)
  if (status !== 200) throw new Error(`${status} ${text} of ${JSON.stringify(figure.question)}`)
  const answer = json as unknown as Answer
  const subject = toPictureSubject(
    {
      name: figure.title,
      visualization: { ...figure.visualization },
      query: { ...figure.question },
      timeZone: world.zone,
    },
    answer,
  )
  const sentences = Object.fromEntries(
    languages.map((locale) => [locale, describeAnswer({ ...subject, locale })]),
  ) as Record<Locale, string>
  return { answer: toGivenAnswer(answer.results, answer.meta.total, answer.output), sentences }
}

const toGivenAnswer = (
  results: Record<string, unknown>[],
  total: number,
  { total: cutTotal }: Output,
): GivenAnswer => ({ results, total, ...(cutTotal === undefined ? {} : { cutTotal }) })

async function askSaved(reader: TestContext, world: World, figure: FigureQuery) {
  const placeId = getPlaceId(world)
  const response = await sendAs(reader, 'POST', '/insights', {
    placeId,
    name: figure.title,
    dataTypeId: getWorldId(world),
    sourceId: getWorldId(world),
    visibility: 'public',
    visualization: figure.visualization,
    query: figure.question,
  })
  if (response.status >= 300)
    throw new Error(`${response.status} ${response.text} of ${JSON.stringify(figure)}`)
  const { text, status, json } = await sendAs(
    reader,
    'GET',
    `/places/${placeId}/insights/${String(response.json.id)}.json`,
  )
  if (status !== 200) throw new Error(`${status} ${text}`)
  const { results, meta } = json as unknown as { results: unknown[]; meta: { summary: string } }
  return { summary: meta.summary, rows: results.length }
}
