import { createAreaSets } from './area-sets.ts'
import { listOfferedSets } from '#functions/domain/boundary/named-areas.ts'
import { requireGoodImporter, readImporterSecrets } from './check.ts'
import { findImporter, readEncrypted, findSource } from './of-source.ts'
import { readSourceSample, sampleOfFile, sampleOfUpload, type Sample } from './sample.ts'
import { extractSecrets, withSecrets } from './secrets.ts'
import { openAnnounced } from './stored.ts'
import { describeUnknownFields } from './unknown-fields.ts'
import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { prepare } from '#functions/domain/records/prepare.ts'
import { findSourceDataType } from '#functions/domain/records/change.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { placeFinder } from '#functions/engine/gazetteer/find.ts'
import { hasNoShape, mayNameTowns, withPlaces } from '#functions/engine/import/profile/places.ts'
import { readGazetteer } from '#functions/engine/gazetteer/read.ts'
import { mapper, type MapperOptions } from '#functions/engine/import/map/index.ts'
import { profiler, propose, type Profile, type Proposal } from '#functions/engine/import/profile/index.ts'
import type { Reject, SourceRow } from '#functions/engine/import/row.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type {
  AddressedSample,
  NewImporter,
  NewSourceTest,
  UploadedSample,
} from '#functions/shapes/importer.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'

/**
 * Tests an importer on the first rows of its sources without storing anything: the record of each row and its issues,
 * possible selectors, column profiles, and a fitting data type. Undefined when there is no such source. Errors of
 * reading a source are returned in `error`, since they are a result of the test; an invalid importer is `invalid`.
 */
export async function test(ctx: Context, request: NounRequest<unknown, NewImporter>) {
  const target = await findSource(ctx, request)
  if (!target) return undefined
  requireGoodImporter(request.data)
  const { sources, secrets } = await openSources(ctx, request)
  const samples: Sample[] = []
  for (const source of sources) samples.push(await readSourceSample(ctx, target, source, secrets))
  const rows = samples.flatMap((sample) => sample.rows)
  const profile = profiler()
  profile.add(rows)
  const profileResult = profile.result()
  const proposal = await proposeFor(
    ctx,
    target.placeId,
    rows,
    propose(profileResult, { name: request.data.name }),
  )
  const type = await findSourceDataType(ctx, target.id)
  const { mapping = {}, columns = proposal.columns } = request.data
  const how = { timeZone: target.timeZone, columns, ...createPlaceReaders(ctx, target.placeId) }
  const report = describeTry(
    samples,
    profileResult,
    proposal,
    type ? await tryRows(samples, mapping, type.schema, how) : [],
  )
  const message = type && describeUnknownFields(mapping, type.schema)
  return message ? { ...report, notices: [...report.notices, { level: 'warn' as const, message }] } : report
}

/**
 * Tests a source that does not exist yet, without storing anything: like `test`, with records of the proposed data type.
 * Takes a URL with its settings, a file of a form, or one that was announced for the place and uploaded. Undefined without such a place.
 */
export async function testNew(ctx: Context, request: NounRequest<unknown, NewSourceTest>) {
  const place = await ctx.db
    .selectFrom('place')
    .select(['id', 'timeZone'])
    .where('id', '=', requirePlaceId(request))
    .executeTakeFirst()
  if (!place) return undefined
  const { data } = request
  const samples =
    'file' in data
      ? await Promise.all(data.sources.map((source) => sampleOfFile(source, data.file)))
      : 'fileId' in data
        ? await samplesOfUpload(ctx, place.id, data)
        : await newSamples(ctx, place, data)
  const profile = profiler()
  const first = samples.flatMap(({ rows }) => rows)
  profile.add(first)
  const profileResult = profile.result()
  const proposal = await proposeFor(ctx, place.id, first, propose(profileResult, { name: data.name ?? '' }))
  const { mapping, schema, columns } = proposal
  const rows = profileResult.columns.length
    ? await tryRows(samples, mapping, schema, {
        ...{ timeZone: place.timeZone, columns },
        ...createPlaceReaders(ctx, place.id),
      })
    : []
  return describeTry(samples, profileResult, proposal, rows)
}

/** The gazetteer and the boundary sets of a mapping, read when it needs them. */
const createPlaceReaders = (ctx: Context, placeId: string) => ({
  gazetteer: () => readGazetteer(ctx.tiles),
  areas: createAreaSets(ctx, placeId).read,
})

/** Adds points to a proposal where a column has place names and nothing else gives a location. */
async function proposeFor(
  ctx: Context,
  placeId: string,
  rows: SourceRow[],
  proposal: Proposal,
): Promise<Proposal> {
  if (rows.length === 0 || !hasNoShape(proposal)) return proposal
  const gazetteer = mayNameTowns(proposal) ? await readGazetteer(ctx.tiles) : null
  const sets = await listOfferedSets(ctx, placeId)
  return withPlaces(proposal, rows, { find: gazetteer && placeFinder(gazetteer), sets })
}

/** One after the other, so that one file is in memory at a time. */
async function samplesOfUpload(ctx: Context, placeId: string, { fileId, sources }: UploadedSample) {
  const file = await openAnnounced(ctx, placeId, fileId)
  if (!file)
    throw new Failure('invalid', {
      issues: [{ path: ['fileId'], value: fileId, message: 'There is no such file.', validator: 'exists' }],
    })
  const samples: Sample[] = []
  for (const source of sources) samples.push(await sampleOfUpload(source, file))
  return samples
}

/** Uploaded files belong to a source; where there is none yet, the file is part of the request or was announced. */
async function newSamples(ctx: Context, place: { id: string; timeZone: string }, data: AddressedSample) {
  requireGoodImporter(data)
  const { sources, secrets } = extractSecrets(data.sources, [])
  const at = { id: '', placeId: place.id, timeZone: place.timeZone }
  const hidden = secrets.map(({ value }) => value)
  const samples: Sample[] = []
  for (const source of withSecrets(sources, secrets))
    samples.push(await readSourceSample(ctx, at, source, hidden))
  return samples
}

function describeTry(samples: Sample[], profileResult: Profile, proposal: Proposal, rows: TriedRow[]) {
  const errors = samples.flatMap(({ error }) => error ?? [])
  return {
    rows,
    selectors: [...new Set(samples.flatMap(({ selectors }) => selectors))],
    lists: samples.flatMap(({ lists }) => lists),
    grids: samples.map(({ grid }) => grid),
    archives: samples.map(({ archive }) => archive),
    paths: profileResult.columns.map(({ path, values, missing, distinct, examples, fits, looksLikeId }) => ({
      ...{ path, values, missing, distinct, examples, looksLikeId },
      types: Object.fromEntries(Object.entries(fits).map(([name, { ratio }]) => [name, ratio])),
    })),
    schemaGuess: pickSchemaGuess(proposal),
    notices: samples.flatMap(({ notices }) => notices),
    ...(errors.length > 0 && { error: errors.join(' ') }),
  }
}

/** The sources with every secret in its place, and the secrets. */
async function openSources(ctx: Context, request: NounRequest<unknown, NewImporter>) {
  const { id = '', sources: values } = request.data
  const importer =
    id && (await findImporter(ctx, { ...request, params: { ...request.params, importerId: id } }))
  const storedSecrets = importer
    ? await readImporterSecrets(ctx, { id, secrets: await readEncrypted(ctx, id) })
    : []
  const { sources, secrets } = extractSecrets(values, storedSecrets)
  return {
    sources: withSecrets(sources, secrets) satisfies ImporterSource[],
    secrets: secrets.map(({ value }) => value),
  }
}

interface TriedRow {
  input: unknown
  output: unknown
  errors: Record<string, unknown>[]
  /** Place names without a unique point: the row is imported without it. */
  noPlaces: { field: string; kind: 'ambiguous' | 'unknown'; message: string }[]
}

/** The result of each row, in the order of the sources; unreadable rows are at their positions. */
async function tryRows(
  samples: Sample[],
  mapping: Mapping,
  schema: FieldSchema,
  how: MapperOptions,
): Promise<TriedRow[]> {
  const map = await mapper(mapping, schema, how)
  const results: TriedRow[] = []
  for (const { rows, rejects } of samples) {
    const bad = [...new Set(rejects.map(({ at }) => at.row))]
    const unread = bad.map((row) => {
      const errors = rejects.filter(({ at }) => at.row === row).map(describeReject)
      return { row, input: null, output: null, errors, noPlaces: [] }
    })
    const read = await Promise.all(rows.map((row) => tryRow(row, map, schema)))
    results.push(...[...read, ...unread].sort((a, b) => a.row - b.row).map(({ row: _row, ...each }) => each))
  }
  return results
}

async function tryRow(
  row: SourceRow,
  map: Awaited<ReturnType<typeof mapper>>,
  schema: FieldSchema,
): Promise<TriedRow & { row: number }> {
  const noPlaces: TriedRow['noPlaces'] = []
  const mapping = map(row, undefined, (field, { kind, message }) => noPlaces.push({ field, kind, message }))
  const at = { row: row.at.row, input: row.value, noPlaces }
  if (mapping === null) return { ...at, output: null, errors: [] }
  if ('rejects' in mapping) return { ...at, output: null, errors: mapping.rejects.map(describeReject) }
  const { rows, rejected } = await prepare([mapping.value], schema)
  const errors = rejected.flatMap(({ issues }) =>
    issues.map(({ path, message }) => ({ field: path.join('.') || null, message })),
  )
  return { ...at, output: rows[0]?.data ?? null, errors }
}

function describeReject({ at, field, message, value }: Reject): Record<string, unknown> {
  return { field, message, ...(value !== undefined && { value }), at }
}

/** A data type with its mapping, and the reasons for each field. */
function pickSchemaGuess({ schema, temporal, mapping, columns, id, fields }: Proposal) {
  return { schema, temporal, mapping, columns, id, fields }
}
