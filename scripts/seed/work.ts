import { call } from '#functions/api/call.ts'
import type { Context } from '#functions/context.ts'
import { identifyActor } from '#functions/domain/identity/actor.ts'
import { processJobs } from '#functions/domain/importer/job/work.ts'
import { observe } from '#functions/domain/observer/observe.ts'
import { csvLine } from '#functions/engine/export/csv.ts'
import { pendingUploadKey } from '#functions/engine/media/keys.ts'
import { Download } from '#functions/shapes/download.ts'
import { v1 } from '#functions/v1/index.ts'
import { localAuthSecret } from '../local.ts'
import type { Demo } from './demo.ts'
import * as records from './records.ts'

const placeId = 'seattle-wa'

type Rows = Record<string, unknown>[]

/** A CSV file as a program of the city would send it, with the keys of the fields as header. */
function toCsv(rows: Rows): string {
  const keys = Object.keys(rows[0] ?? {})
  const cells = (row: Rows[number]) =>
    keys.map((key) => (typeof row[key] === 'string' || typeof row[key] === 'number' ? String(row[key]) : ''))
  return [keys, ...rows.map(cells)].map(csvLine).join('')
}

const strikes = () => records.wildlifeStrikes((row) => row['Origin State'] === 'Washington')

/** The rows with typing errors of a person in three lines. */
function strikesWithMistakes(): Rows {
  const rows = strikes()
  const [first = {}, second = {}, third = {}] = rows
  return [
    ...rows,
    { ...first, id: 'SEA-1', cost: 'about 20,000' },
    { ...second, id: 'SEA-2', size: 'Huge' },
    { ...third, id: 'SEA-3', day: '31/02/2002' },
  ]
}

/**
 * The importers: their runs change no existing record, so that the demo's numbers stay those of the files.
 */
const importers = [
  {
    id: 'weather-of-the-day',
    sourceId: 'seattle-weather',
    name: 'Daily weather of the station',
    file: { name: 'seattle-weather.csv', type: 'text/csv', text: () => toCsv(records.seattleWeather()) },
    read: { parser: 'csv' },
  },
  {
    id: 'strikes-list',
    sourceId: 'washington-strikes',
    name: 'List of the airport’s wildlife officer',
    file: { name: 'wildlife-strikes.csv', type: 'text/csv', text: () => toCsv(strikesWithMistakes()) },
    read: { parser: 'csv' },
  },
  {
    id: 'climate-export',
    sourceId: 'seattle-climate',
    name: 'Export of the climate normals',
    // It is truncated, as after a broken download.
    file: {
      name: 'climate-normals.json',
      type: 'application/json',
      text: () => JSON.stringify(records.seattleClimate().slice(0, 500)).slice(0, -40),
    },
    read: { parser: 'json', parserOptions: { selector: '*' } },
  },
]

const compareField = (name: string, field: string) => ({
  function: name,
  arguments: [{ field: `data.${field}` }],
})
const count = { function: 'count', arguments: [] }

/**
 * The first one raises an alert at once, the second one has nothing to report, the third one waits for a
 * temperature that Seattle never had.
 */
const observers = [
  {
    id: 'heavy-rain',
    dataTypeId: 'daily-weather',
    sourceId: 'seattle-weather',
    name: 'Heavy rain',
    notes: 'More than 50 mm on one day: pumps and culverts are looked at.',
    condition: { operator: 'gt' as const, aggregation: compareField('max', 'precipitation'), value: 50 },
  },
  {
    id: 'costly-strikes',
    dataTypeId: 'wildlife-strike',
    sourceId: 'washington-strikes',
    name: 'Strikes that cost more than $20,000',
    notes: 'Told to the wildlife officer of the airport.',
    filters: { 'data.cost': { $gt: 20_000 } },
    condition: { operator: 'gt' as const, aggregation: count, value: 0 },
  },
  {
    id: 'heat',
    dataTypeId: 'daily-weather',
    sourceId: 'seattle-weather',
    name: 'Heat of more than 40 °C',
    notes: 'Cooling centers open. It has not been so hot in these four years.',
    condition: { operator: 'gt' as const, aggregation: compareField('max', 'maximum'), value: 40 },
  },
]

/** Charts of the place, stored as pictures in its library. */
const pictures = [
  {
    insightId: 'seattle-temperature',
    alt: 'Line chart of the mean highest temperature of each month in Seattle.',
  },
  { insightId: 'seattle-days', alt: 'Bar chart of how many days in Seattle were of each weather.' },
]

const invited = [
  { email: 'priya.parks@demo.example', role: 'member' },
  { email: 'theo.transit@demo.example', role: 'viewer' },
]

/**
 * Seeds what people of the demo's city do: files and importers with their runs, observers with their alerts,
 * pictures in the library, pending invitations. Uses the endpoints that a person uses, as the admin of the
 * place, with the admin's key; nothing is sent outside of this machine. Idempotent: existing items stay.
 * `baseContext` is the system's, which processes runs and observers.
 */
export async function seedWork(
  baseContext: Context,
  { accounts }: Demo,
  log: (line: string) => void,
): Promise<void> {
  // The local Worker must be able to decrypt what signs the webhooks of observers.
  const ctx = { ...baseContext, settings: { ...baseContext.settings, authSecret: localAuthSecret } }
  const key = accounts.find(({ role }) => role === 'organization_admin')?.key ?? null
  const actor = await identifyActor(new Headers(), key, ctx.db, {
    settings: ctx.settings,
    responseHeaders: ctx.responseHeaders,
    later: () => {},
  })
  const admin: Context = { ...ctx, actor }
  for (const importer of importers) await seedImporter(admin, importer)
  await processJobs(ctx)
  for (const observer of observers) {
    const recipients = actor.user ? [actor.user.id] : []
    if (await isMissing(ctx, 'observer', observer.id))
      await call(v1.place.observer.create, admin, {
        params: { placeId },
        data: { ...observer, schedule: 'onData', recipients },
      })
  }
  await observe(ctx)
  await seedPictures(admin)
  await seedInvites(admin)
  log(
    `  ${importers.length} importers, ${observers.length} observers, ${pictures.length} pictures, ${invited.length} invitations`,
  )
}

async function isMissing(ctx: Context, table: 'importer' | 'observer', id: string): Promise<boolean> {
  return !(await ctx.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst())
}

/** Creates an importer with a run that reads its file; after a killed start, only what is missing. */
async function seedImporter(ctx: Context, { id, sourceId, name, file, read }: (typeof importers)[number]) {
  const params = { sourceId }
  if (await isMissing(ctx, 'importer', id)) {
    const upload = new File([file.text()], file.name, { type: file.type })
    const { id: fileId } = await call(v1.source.file.create, ctx, { params, data: { file: upload } })
    const sources = [{ url: `file:${fileId}`, ...read }]
    const data = { id, name, sources, mode: 'upsert', retries: 0, notifyOnFailure: false }
    await call(v1.source.importer.create, ctx, { params, data })
  }
  const run = { ...params, importerId: id }
  const { meta } = await call(v1.source.importer.job.find, ctx, { params: run })
  if (meta.total === 0) await call(v1.source.importer.run, ctx, { params: run })
}

async function seedPictures(ctx: Context): Promise<void> {
  const library = { assetsId: placeId }
  const some = await call(v1.assets.folder.find, ctx, {
    params: library,
    options: { filters: { name: 'Charts' } },
  })
  if (some.results.length > 0) return
  const folder = await call(v1.assets.folder.create, ctx, { params: library, data: { name: 'Charts' } })
  for (const { insightId, alt } of pictures) {
    const drawing = await call(v1.insight['.svg'], ctx, { params: { insightId } })
    if (!(drawing instanceof Download)) continue
    const bytes = new Uint8Array(await new Response(drawing.body).arrayBuffer())
    const name = `${insightId}.svg`
    const announced = { name, type: 'image/svg+xml', size: bytes.byteLength, folderId: folder.id }
    const { fileId } = await call(v1.assets.file.getUploadWriteUrl, ctx, { params: library, data: announced })
    // Does what an upload to the returned address would do.
    await ctx.files.put(pendingUploadKey(fileId), bytes)
    await call(v1.assets.file.create, ctx, { params: library, data: { fileId, alt } })
  }
}

async function seedInvites(ctx: Context): Promise<void> {
  for (const data of invited) {
    const existing = await ctx.db
      .selectFrom('invite')
      .select('id')
      .where('email', '=', data.email)
      .executeTakeFirst()
    if (!existing) await call(v1.place.invite.create, ctx, { params: { placeId }, data })
  }
}
