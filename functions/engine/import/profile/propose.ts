import { splitKeyPath, type Mapping, type MappingValue } from '#functions/shapes/importer-mapping.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import type { ColumnReading } from '../map/reading.ts'
import type { ColumnProfile } from './column.ts'
import { decide, type Decision } from './decide.ts'
import type { Profile } from './index.ts'
import { keyGiver, toFieldKey, toFieldName, toHeaderWords } from './keys.ts'
import { proposeKnowledge } from './knowledge.ts'
import { missingWords, withoutPhrases, type MissingWord } from './missing.ts'
import type { PairCounts } from './pairs.ts'
import { settleSeparators } from './separators.ts'
import type { Miss } from './tally.ts'

const minGood = 0.98
const commaNote =
  'Its points are read as standing between thousands: other columns of the table have decimal commas.'

/** The evidence for a field, in numbers. */
export interface FieldEvidence {
  key: string
  /** The columns it is made from. */
  paths: string[]
  type: Field['type']
  /** Rows with a value, and those whose value is valid. */
  values: number
  parsed: number
  reason: string
  notes: string[]
  /** Some rows that would be refused. */
  failing: Miss[]
  /** Words that are or may be missing values. */
  missing: MissingWord[]
}

/** A data type and the mapping to it. */
export interface Proposal {
  name: string
  schema: FieldSchema
  temporal: { primary: string } | null
  mapping: Mapping
  /** The readings of columns; to be stored with the mapping. */
  columns: Record<string, ColumnReading>
  /** The column with the ids of records; null: ids are made from their content. */
  id: string | null
  fields: FieldEvidence[]
}

/** Proposes a data type for a profile: only what all rows support, each field with its evidence. */
export function propose(profile: Profile, { name }: { name: string }): Proposal {
  const leaves = profile.columns.filter((column) => isLeaf(column, profile) && !isFrame(column, profile))
  const { columns, settled } = settleSeparators(leaves)
  const pairs = profile.pairs.filter(isPoint)
  const inPair = new Set(pairs.flatMap(({ latitude, longitude }) => [latitude, longitude]))
  const singles = columns.filter(({ path }) => !inPair.has(path))
  const id = idColumn(singles)
  const proposal: Proposal = {
    name,
    schema: {},
    temporal: null,
    mapping: {},
    columns: {},
    id: id?.path ?? null,
    fields: [],
  }
  const give = keyGiver(['id'])
  for (const column of singles) addColumn(proposal, column, column === id, give)
  for (const pair of pairs) addPair(proposal, pair, profile, give)
  for (const { paths, notes } of proposal.fields)
    if (paths.some((path) => settled.has(path))) notes.push(commaNote)
  proposal.temporal = primaryDate(proposal)
  return proposal
}

function addColumn(
  proposal: Proposal,
  profile: ColumnProfile,
  isId: boolean,
  claimKey: (...keys: string[]) => string,
): void {
  const header = getHeader(profile.path)
  const { column, decided, words } = isId
    ? { column: profile, decided: idDecision(profile), words: {} }
    : decidedWithout(profile, header)
  const headerKey = toFieldKey(header)
  const long = toFieldKey(splitKeyPath(column.path).join(' '))
  const key = isId
    ? 'id'
    : headerKey === 'id'
      ? claimKey('idValue')
      : claimKey(headerKey, long, headerKey || long)
  const field = { field: column.path }
  const value: MappingValue = decided.transform ? { transform: decided.transform, arguments: [field] } : field
  const knowledge = proposeKnowledge(column, header, decided.field)
  add(proposal, key, { name: toFieldName(header, key), ...decided.field, ...knowledge.field }, value, {
    ...{ paths: [column.path], values: column.values, parsed: decided.parsed },
    ...{ reason: decided.reason, notes: [...decided.notes, ...knowledge.notes], failing: decided.failing },
    missing: isId ? [] : missingWords(profile, decided.field.type, words),
  })
  const missing = Object.keys(words)
  const reading = { ...decided.reading, ...(missing.length > 0 && { missing }) }
  if (Object.keys(reading).length > 0) proposal.columns[column.path] = reading
}

/** The type of a column without phrases for a missing value, if it is not text then; otherwise unchanged. */
function decidedWithout(profile: ColumnProfile, header: string) {
  const { column, words } = withoutPhrases(profile)
  if (Object.keys(words).length > 0) {
    const decision = decideColumn(column, header)
    if (decision.field.type !== 'text') return { column, decided: decision, words }
  }
  return { column: profile, decided: decideColumn(profile, header), words: {} }
}

/** The type of a column; a text that could also be the records' id is marked as identifying. */
function decideColumn(column: ColumnProfile, header: string): Decision {
  const decision = decide(column, header)
  if (decision.field.type !== 'text' || decision.field.identifier || idScore(column) === 0) return decision
  const notes = [...decision.notes, 'Every row has another one: it names them.']
  return { ...decision, field: { ...decision.field, identifier: true }, notes }
}

function add(
  proposal: Proposal,
  key: string,
  field: Field,
  value: MappingValue,
  evidence: Omit<FieldEvidence, 'key' | 'type'>,
): void {
  proposal.schema[key] = field
  proposal.mapping[key] = value
  proposal.fields.push({ key, type: field.type, ...evidence })
}

/** Ids are text, even if they look like numbers. */
function idDecision(column: ColumnProfile): Decision {
  const reason = `Every one of ${column.rows} rows has another value${column.isDistinctExact ? '' : `, as far as ${column.repeats.of} of them were looked at closely`}.`
  const field = { type: 'text', identifier: true } as const
  return { field, reading: {}, parsed: column.values, failing: [], reason, notes: [] }
}

function addPair(
  proposal: Proposal,
  pair: PairCounts,
  { columns }: Profile,
  assignKey: (...keys: string[]) => string,
): void {
  const [x, y] = [pair.longitude, pair.latitude].map((path) => columns.find((column) => column.path === path))
  const reading = x?.fits.number.reading ?? {}
  if (Object.keys(reading).length > 0) proposal.columns[pair.longitude] = reading
  const alone = Math.max(x?.values ?? 0, y?.values ?? 0) - pair.both
  const notes = alone > 0 ? [`${alone} rows have only one of the two as a number.`] : []
  if (pair.zero > 0) notes.push(`${pair.zero} rows say 0, 0, which is no place.`)
  const key = assignKey('location')
  const value = { transform: 'createPoint', arguments: [{ field: pair.longitude }, { field: pair.latitude }] }
  add(proposal, key, { name: 'Location', type: 'point' }, value, {
    ...{
      paths: [pair.longitude, pair.latitude],
      values: pair.both,
      parsed: pair.good,
      notes,
      failing: [],
      missing: [],
    },
    reason: `${pair.good} of ${pair.both} rows have a longitude and a latitude within the earth.`,
  })
}

const isPoint = ({ both, good }: PairCounts) => both > 0 && good / both >= minGood
const getHeader = (path: string) => splitKeyPath(path).at(-1) ?? path

/** Whether a column is no map with columns for its members. */
function isLeaf({ path, counts }: ColumnProfile, { columns }: Profile): boolean {
  const isMap = (counts.kinds.map ?? 0) === counts.values && counts.values > 0
  return !isMap || !columns.some((column) => column.path.startsWith(`${path}.`))
}

/** Whether a column only marks rows as features. */
function isFrame({ path, top }: ColumnProfile, { columns }: Profile): boolean {
  const isFeature = path === 'type' && top.length === 1 && top[0]?.value === 'Feature'
  return isFeature && columns.some((column) => column.path === 'geometry')
}

const idName =
  /^(?:id|uid|uuid|guid|gid|fid|pk|key|(?:object|global|record|row|unique) ?(?:id|key)|objectid|globalid)$/
const idEnd = /\b(?:id|uuid|guid|key|number|no|nr|code)$/

/** The column with record ids: a value in each row, all different, and a matching name or form. */
function idColumn(columns: ColumnProfile[]): ColumnProfile | undefined {
  const scored = columns
    .map((column) => ({ column, score: idScore(column) }))
    .filter(({ score }) => score > 0)
  return scored.sort((a, b) => b.score - a.score)[0]?.column
}

function idScore(column: ColumnProfile): number {
  const { rows, values, distinct, repeats, fits, ranges, counts } = column
  const isWhole = values === rows && rows > 1 && repeats.repeated === 0
  const isPlain = fits.text.parsed === values && fits.date.ratio < 1 && !counts.kinds.boolean
  const isFraction = fits.number.ratio === 1 && fits.integer.ratio < 1
  if (!isWhole || !isPlain || isFraction || distinct < rows * 0.97 || (ranges.length?.[1] ?? 0) > 128)
    return 0
  const words = toHeaderWords(getHeader(column.path))
  if (idName.test(words)) return 4
  if (idEnd.test(words)) return 3
  const isUuid = column.examples.every((text) =>
    /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(text),
  )
  return isUuid ? 2 : 0
}

const timeName = /\b(?:date|time|created|opened|reported|occurred|start|started|issued)\b/

/** The date that most rows have; preferably one with a matching name, then the first. */
function primaryDate({ fields, schema }: Proposal): { primary: string } | null {
  const dates = fields.filter(({ type }) => type === 'date')
  const weight = ({ key, parsed }: FieldEvidence) =>
    parsed + (timeName.test(toHeaderWords(schema[key]?.name ?? '')) ? 0.5 : 0)
  const best = dates.reduce<FieldEvidence | null>(
    (first, next) => (!first || weight(next) > weight(first) ? next : first),
    null,
  )
  return best && { primary: best.key }
}
