import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { TrustFacts } from '#app/components/hub/trust-facts.tsx'
import { trustTexts } from '#app/components/hub/texts.ts'
import { load } from '#app/server/load.server.ts'
import { count, day, loadReaderSettings, hubPathBuilder } from '#app/server/page-language.server.ts'
import { findSourceVersion } from '#functions/domain/source/versions.ts'
import { formatCitations } from '#functions/engine/catalogue/cite.ts'
import { computeNextUpdateDay } from '#functions/engine/catalogue/cadence.ts'
import { listMetadataFields } from '#functions/domain/source/custom-fields.ts'
import { formatValue } from '#functions/engine/chart/format.ts'
import type { CustomValues } from '#functions/shapes/custom-field.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { FieldProfile } from '#functions/shapes/field-profile.ts'
import { findLicence } from '#functions/shapes/licences.ts'
import { parseContact, type Cadence } from '#functions/shapes/metadata.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { v1 } from '#functions/v1/index.ts'
import { hubOrigin } from './facts.server.ts'
import { customTextsIn, recordUntranslated } from '#app/server/untranslated.server.ts'
import { formatPercent } from './percent.ts'

interface TrustedSource {
  id: string
  name: string
  attribution: string | null
  dataTypeId: string
  dataVersion: number
  dataUpdatedAt: Date | string | null
  licence: string | null
  licenceUrl: string | null
  publisher: string | null
  publisherUrl: string | null
  contactName: string | null
  contact: string | null
  cadence: Cadence | null
  topic: string | null
  tags: string[]
  placeId: string
  customFields: CustomValues
}

/** The trust section of a source's page: publisher, currency and quality of the data. Unknown facts are left out. */
export async function trustFacts(
  args: LoaderFunctionArgs,
  source: TrustedSource,
  dataType: { category: string | null; schema: FieldSchema },
  period: string | undefined,
): Promise<TrustFacts> {
  const { ctx } = args.context
  const [reading, { place, fields }, version, own] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      place: v1.place.findById,
      fields: { endpoint: v1.place.source.fields, options: { profile: true } },
    }),
    source.dataVersion > 0 ? findSourceVersion(ctx, source.id, source.dataVersion) : undefined,
    loadCustomFieldValues(args, source),
  ])
  const w = trustTexts(reading.locale)
  const n = (value: number) => count(value, reading)
  const licence = findLicence(source.licence, source.licenceUrl)
  const { dataUpdatedAt: last, cadence } = source
  const next =
    cadence &&
    last &&
    computeNextUpdateDay(cadence, isoDay(wallTime(new Date(last).getTime(), reading.timeZone)))
  const profiles = fields.meta.profile?.state === 'ready' ? profilesIn(fields.results, dataType.schema) : []
  const topic = source.topic ?? dataType.category
  const changes = version && [
    ...(version.since > 0
      ? [
          ...(version.created > 0 ? [w.created(n(version.created))] : []),
          ...(version.updated > 0 ? [w.updated(n(version.updated))] : []),
          ...(version.removed > 0 ? [w.removed(n(version.removed))] : []),
          ...(version.fieldsChanged ? [w.fieldsChanged] : []),
        ]
      : []),
  ]
  return {
    ...(cadence && { cadence: w.cadences[cadence] }),
    ...(next && {
      next: {
        date: formatValue(next, { name: '', type: 'date', precision: 'day' }, reading),
        dateTime: next,
        ...(next < isoDay(wallTime(ctx.now().getTime(), reading.timeZone)) && { isLate: true as const }),
      },
    }),
    ...(period && { coverage: period }),
    publisher: {
      name: source.publisher ?? place.displayName,
      ...(source.publisher && source.publisherUrl && { href: source.publisherUrl }),
    },
    ...contactLink(source),
    ...(licence && { licence: { name: licence.title, ...(licence.url && { href: licence.url }) } }),
    ...(source.dataVersion > 0 &&
      last && {
        version: {
          name: w.versionText(String(source.dataVersion), day(last, reading)),
          ...(version && { changes: describeChanges(version.since, changes ?? [], w) }),
        },
      }),
    quality: [
      ...describeRefusedCount(version?.refused ?? null, n, w),
      ...describeMissingValues(profiles, reading.locale, w),
    ],
    ...(topic && { topic }),
    tags: source.tags,
    ...(own.length > 0 && { own }),
    ...(version?.publishedAt && { cite: buildCitation(args, source, version, place.displayName, reading) }),
    fieldsHref: hubPathBuilder(ctx)(`/domains/${source.dataTypeId}/source/${source.id}/fields`),
    reportHref: hubPathBuilder(ctx)(`/domains/${source.dataTypeId}/source/${source.id}/report`),
  }
}

/** The values of a source in the public custom fields of its place, formatted for readers. No query without values. */
async function loadCustomFieldValues(
  args: LoaderFunctionArgs,
  source: Pick<TrustedSource, 'placeId' | 'customFields'>,
): Promise<NonNullable<TrustFacts['own']>> {
  if (Object.keys(source.customFields).length === 0) return []
  const { ctx } = args.context
  const [reading, fields] = await Promise.all([
    loadReaderSettings(args),
    listMetadataFields(ctx, source.placeId),
  ])
  const untranslatable = new Set<string>()
  const own = (await customTextsIn(ctx, source, fields)).map(({ title, kind, value }) => {
    const text =
      kind === 'date' || kind === 'number'
        ? formatValue(
            value,
            { name: '', type: kind, ...(kind === 'date' && { precision: 'day' as const }) },
            reading,
          )
        : String(value)
    const href = kind === 'url' ? text : kind === 'email' ? `mailto:${text}` : undefined
    const lines = text
      .split(/\n+/)
      .map((line) => line.trim())
      .filter(Boolean)
    if (!href && kind !== 'choice') for (const line of lines) untranslatable.add(line)
    return { title, lines: [...new Set(lines)], ...(href && { href }) }
  })
  recordUntranslated(ctx, [untranslatable])
  return own
}

type Words = ReturnType<typeof trustTexts>

/** The citation of a version. Its URL is in the hub's first language, so that it is the same for everyone. */
function buildCitation(
  { context: { ctx } }: LoaderFunctionArgs,
  source: TrustedSource,
  version: { version: number; at: Date | string },
  placeName: string,
  { locale, timeZone }: { locale: string; timeZone: string },
) {
  const url = `${hubOrigin(ctx)}/domains/${source.dataTypeId}/source/${source.id}/versions/${version.version}`
  const about = {
    author: source.attribution,
    publisher: source.publisher ?? placeName,
    title: source.name,
    url,
  }
  return {
    text: formatCitations(about, version, { words: trustTexts(locale), timeZone }).text,
    permanent: url,
  }
}

/** The changes of a version in one line; '' if unknown. */
function describeChanges(since: number, changes: string[], w: Words): string {
  if (since === 0) return w.firstVersion
  return changes.length > 0 ? `${w.sinceVersion(String(since))}: ${changes.join(', ')}` : ''
}

/** The contact of a source as a link. */
function contactLink({
  contactName,
  contact,
}: Pick<TrustedSource, 'contactName' | 'contact'>): Pick<TrustFacts, 'contact'> {
  const address = parseContact(contact)
  if (address === null) return contactName === null ? {} : { contact: { name: contactName } }
  const href = 'email' in address ? `mailto:${address.email}` : address.url
  return { contact: { name: contactName ?? contact ?? '', href } }
}

function describeRefusedCount(refusedCount: number | null, n: (value: number) => string, w: Words): string[] {
  if (refusedCount === null) return []
  return [refusedCount === 0 ? w.noneRefused : w.refused(n(refusedCount))]
}

/** A field with the number of its values and of its empty cells. */
interface FieldCounts {
  name: string
  count: number
  empty: number
}

function profilesIn(
  entries: { field: string; profile?: FieldProfile | null }[],
  schema: FieldSchema,
): FieldCounts[] {
  return entries.flatMap(({ field, profile }) => {
    const fieldSchema = schema[field.replace(/^data\./, '')]
    return profile && fieldSchema
      ? [{ name: fieldSchema.name, count: profile.count, empty: profile.empty }]
      : []
  })
}

/** The share of missing values, and the field with the most; empty if unknown or without records. */
function describeMissingValues(fields: FieldCounts[], locale: string, w: Words): string[] {
  const empty = fields.reduce((sum, field) => sum + field.empty, 0)
  const all = fields.reduce((sum, field) => sum + field.empty + field.count, 0)
  if (all === 0) return []
  if (empty === 0) return [w.noneMissing]
  const worst = fields.reduce((most, field) => (field.empty > most.empty ? field : most))
  const formatShare = (part: number, whole: number) => formatPercent(part, whole, locale)
  const whole = w.missing(formatShare(empty, all))
  return [
    fields.length > 1
      ? `${whole}; ${w.mostMissing(worst.name, formatShare(worst.empty, worst.empty + worst.count))}`
      : whole,
  ]
}

const isoDay = (wall: number) => new Date(wall).toISOString().slice(0, 10)
