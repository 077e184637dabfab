/** How often the records of a source are meant to change, the most often first. */
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

/** Where one can ask about a source, by what it is: an email address or that of a page; null where nobody said. */
export function contactOf(contact: string | null): { email: string } | { url: string } | null {
  if (contact === null) return null
  return /^https?:/i.test(contact) ? { url: contact } : { email: contact }
}

/** What was said of a source when a version of its data was published. */
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
