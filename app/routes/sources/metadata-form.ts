import { tagsIn } from '#functions/shapes/tags.ts'
import type { FormErrors } from '#app/components/form/issues.ts'
import { findLicence, offeredLicences } from '#functions/shapes/licences.ts'
import type { Cadence } from '#functions/shapes/metadata.ts'

/** The metadata of a source in its form. */
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

/** The names of the inputs, for errors. */
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

/** The value of the licence select for another licence. */
export const otherLicence = 'other'

/** The options of the licence select. The current licence keeps its wording, so that saving another field does not change it. */
export function licenceChoices(licence: string | null): { value: string; label: string }[] {
  const own = findLicence(licence)
  return [
    { value: '', label: 'Not stated' },
    ...offeredLicences.map(({ title, url }) => ({
      value: own?.url === url ? own.title : title,
      label: title,
    })),
    { value: otherLicence, label: 'Another one, named below' },
  ]
}

/** The option of a licence. */
export function licenceChoice(licence: string | null): string {
  if (licence === null) return ''
  return licenceChoices(licence).some(({ value }) => value === licence.trim()) ? licence.trim() : otherLicence
}

/** The initial values by input name. */
export function metadataValues(source: ShownMetadata): Record<string, string | null> {
  const licence = licenceChoice(source.licence)
  return {
    ...source,
    tags: source.tags.join(', '),
    licence,
    otherLicence: licence === otherLicence ? source.licence : '',
  }
}

/** Issues of single tags are shown at the input of all tags. */
export function withTagIssues(errors: FormErrors): FormErrors {
  return {
    ...errors,
    issues: errors.issues.map((issue) => (issue.path[0] === 'tags' ? { ...issue, path: ['tags'] } : issue)),
  }
}

/** The metadata in a form for the endpoint: null if empty, tags separated by commas. */
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
    // Only a custom licence has its own URL input: listed ones have theirs.
    licenceUrl: isOther ? text('licenceUrl') : null,
  }
}
