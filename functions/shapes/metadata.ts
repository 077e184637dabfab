/** Update frequencies of sources, the most frequent first. */
export const cadences = [
  'continuous',
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'quarterly',
  'halfYearly',
  'yearly',
  'everyTwoYears',
  'irregular',
  'never',
] as const
export type Cadence = (typeof cadences)[number]

/** The contact of a source by kind: an email or web address; null without one. */
export function parseContact(contact: string | null): { email: string } | { url: string } | null {
  if (contact === null) return null
  return /^https?:/i.test(contact) ? { url: contact } : { email: contact }
}

/** The metadata of a source when a version of its data was published. */
export interface VersionMetadata {
  title: string
  description: string
  dataType: string
  licence: string | null
  licenceUrl: string | null
  attribution: string | null
  attributionUrl: string | null
  publisher: string | null
  publisherUrl: string | null
  tags: string[]
}
