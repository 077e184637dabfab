import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { connect } from '#db/connect.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { parseQuestionSteps } from '#functions/settings.ts'
import { contextOver } from '../bench/context.ts'
import { dataTypeId, placeId, schema, sourceId } from '../bench/corpus.ts'
import type { FigureReporter } from '../figures-proof.ts'
import { openDatabase } from '../local.ts'
import { askOnce } from './ask.ts'
import { costlyQuestions } from './questions.ts'

/**
 * Asks the costly questions of `rows` records in the embedded database as an anonymous visitor. The database
 * has a single session, which all share, and no statement timeout: an accepted question may hold it for half
 * a second at most.
 */
export async function embeddedCostTable(
  reporter: FigureReporter,
  options: Record<string, string>,
): Promise<void> {
  const rows = Number(options.rows ?? 42_000)
  const { env, close } = await openDatabase(null, '')
  const everyone = connect(env, { user: '', places: [], global: 'system' })
  const stranger = connect(env, { user: '', places: [], global: '' })
  try {
    await fill({ ...contextOver(everyone.db), ...everyone, actor: system }, rows)
    const ctx = contextOver(stranger.db, { actor: anonymous })
    Object.assign(ctx.settings, parseQuestionSteps(env.QUESTION_STEPS))
    let slowest = 0
    let refusals = 0
    for (const question of costlyQuestions) {
      const { rejection, ms } = await askOnce(ctx, question)
      reporter.log(`  ${question.name.padEnd(46)} ${rejection ?? `${Math.round(ms)} ms`}`)
      slowest = Math.max(slowest, ms)
      if (rejection !== null) refusals += 1
    }
    reporter.log(`  ${costlyQuestions.length} questions, ${refusals} of them refused`)
    reporter.most(
      `slowest of a stranger's questions, embedded, of ${rows.toLocaleString('en')}`,
      slowest,
      500,
      'ms',
    )
  } finally {
    await Promise.all([everyone.end(), stranger.end()])
    await close()
  }
}

/** Imports the first flights of the corpus as records of a public source, by the usual way. */
async function fill(ctx: Context, rows: number): Promise<void> {
  const namedOptions = {
    id: placeId,
    name: 'Bench',
    displayName: 'Bench',
    timeZone: 'America/Chicago',
    createdBy: null,
  }
  await ctx.db
    .insertInto('place')
    .values({ ...namedOptions, theme: '{}', mapConfiguration: '{}' })
    .execute()
  await ctx.db
    .insertInto('dataType')
    .values({
      ...{ id: dataTypeId, name: 'Flight', schema: JSON.stringify(schema), createdBy: null },
      temporal: '{"primary":"at"}',
    })
    .execute()
  await ctx.db
    .insertInto('source')
    .values({ id: sourceId, placeId, dataTypeId, name: 'Flights', visibility: 'public', createdBy: null })
    .execute()
  const flightRows = await readFlightRecords(rows)
  const batch = 5000
  for (let from = 0; from < rows; from += batch) {
    const { rejected } = await ingest(ctx, sourceId, flightRows.slice(from, from + batch), { mode: 'append' })
    if (rejected.length > 0) throw new Error(`Flights were refused: ${rejected[0]?.issues[0]?.message ?? ''}`)
  }
}

async function readFlightRecords(rows: number): Promise<object[]> {
  const data = (name: string) =>
    fileURLToPath(new URL(`../../node_modules/vega-datasets/data/${name}`, import.meta.url))
  const zips = readFileSync(data('zipcodes.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
  const file = await asyncBufferFromFile(data('flights-3m.parquet'))
  const flightRows = await parquetReadObjects({ file, compressors, rowStart: 0, rowEnd: rows })
  const kinds = ['passenger', 'passenger', 'passenger', 'passenger', 'cargo', 'mail', 'charter']
  return flightRows.map(({ date, delay, distance, origin }, i) => {
    const [, latitude, longitude, , state] = zips[(i * 7919) % zips.length] ?? []
    return {
      ...{
        origin,
        state,
        kind: kinds[i % 7],
        delay: Number(delay),
        distance: Number(distance),
        late: Number(delay) >= 15,
      },
      at: (date as Date).toISOString(),
      spot: { type: 'Point', coordinates: [Number(longitude), Number(latitude)] },
    }
  })
}
