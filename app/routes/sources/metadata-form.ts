import { tagsIn } from '#functions/shapes/tags.ts'
import type { FormErrors } from '#app/components/form/issues.ts'
import { licenceOf, offeredLicences } from '#functions/shapes/licences.ts'
import type { Cadence } from '#functions/shapes/metadata.ts'

/** What of a source's metadata its form shows. */
export interface ShownMetadata {
  tags: string[]
  topic: string | null
  publisher: string | null
  publisherUrl: string | null
  contactName: string | null
  contact: string | null
  cadence: string | null
  licence: string | null
  licenceUrl: string | null
}

/** The inputs that errors belong to. */
export const metadataNames = [
  'tags',
  'topic',
  'publisher',
  'publisherUrl',
  'contactName',
  'contact',
  'cadence',
  'licence',
  'licenceUrl',
] as const

/** What the choice of licences says where it is none of those offered. */
export const otherLicence = 'other'

/** The choices of a licence. The one that is there keeps the words it was written in, so saving another field changes nothing of it. */
export function licenceChoices(licence: string | null): { value: string; label: string }[] {
  const own = licenceOf(licence)
  return [
    { value: '', label: 'Not stated' },
    ...offeredLicences.map(({ title, url }) => ({
      value: own?.url === url ? own.title : title,
      label: title,
    })),
    { value: otherLicence, label: 'Another one, named below' },
  ]
}

/** Which of the choices a licence is. */
export function licenceChoice(licence: string | null): string {
  if (licence === null) return ''
  return licenceChoices(licence).some(({ value }) => value === licence.trim()) ? licence.trim() : otherLicence
}

/** What the inputs begin with, by their names. */
export function metadataValues(source: ShownMetadata): Record<string, string | null> {
  const licence = licenceChoice(source.licence)
  return {
    ...source,
    tags: source.tags.join(', '),
    licence,
    otherLicence: licence === otherLicence ? source.licence : '',
  }
}

/** What is wrong with one of the tags stands below the input of all of them. */
export function withTagIssues(errors: FormErrors): FormErrors {
  return {
    ...errors,
    issues: errors.issues.map((issue) => (issue.path[0] === 'tags' ? { ...issue, path: ['tags'] } : issue)),
  }
}

/** The metadata in a form, as the endpoint takes them: what was left empty is null, tags are what stands between commas. */
export function metadataIn(form: FormData) {
  const text = (name: string) => {
    const formValues = form.get(name)
    return typeof formValues === 'string' && formValues.trim() !== '' ? formValues.trim() : null
  }
  const isOther = text('licence') === otherLicence
  return {
    tags: tagsIn(text('tags') ?? ''),
    topic: text('topic'),
    publisher: text('publisher'),
    publisherUrl: text('publisherUrl'),
    contactName: text('contactName'),
    contact: text('contact'),
    cadence: text('cadence') as Cadence | null,
    licence: isOther ? text('otherLicence') : text('licence'),
    // Only one's own licence has an address of its own: those on the list have theirs.
    licenceUrl: isOther ? text('licenceUrl') : null,
  }
}
