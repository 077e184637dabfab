/** The interface's own words on hub pages, by locale. Content (titles, notes, names) is never translated. */
export interface Words {
  skip: string
  indicators: (count: string) => string
  searchLabel: string
  searchPlaceholder: string
  search: string
  searching: string
  /** With {n} for the formatted number. */
  results: string
  none: string
  noneHint: string
  resultsFor: (query: string) => string
  kinds: { domain: string; indicator: string; story: string }
  darkTheme: string
  languages: string
  menu: string
  collapse: string
  sections: string
  stories: string
  domains: string
  maps: string
  about: string
  footer: string
  keyNumbers: string
  featured: string
  allStories: string
  allDomains: string
  openMap: string
  sources: (count: string) => string
  noSources: string
  noStories: string
  noStoriesText: string
  noDomains: string
  noDomainsText: string
  showData: string
  tableOf: (title: string) => string
  downloadCsv: string
  exploreChart: string
  exploreMap: string
  loading: string
  latest: string
  noData: string
  updated: string
  cadence: string
  licence: string
  attribution: string
  domain: string
  facts: string
  onTheMap: string
  theData: string
  firstRows: (shown: string, total: string) => string
  downloads: string
  rows: string
  size: string
  dataOf: string
  download: (format: string) => string
  api: string
  apiText: string
  related: string
  follow: string
  places: string
  noPlaces: string
  stale: (date: string) => string
  published: string
  photo: string
  embed: string
  transcript: string
  notFound: string
  notFoundText: string
  back: string
  tryAgain: string
  toHome: string
  preparing: string
  preparingText: string
}

const english: Words = {
  skip: 'Skip to the content',
  indicators: (count) => (count === '1' ? '1 indicator' : `${count} indicators`),
  searchLabel: 'Search this hub',
  searchPlaceholder: 'Search domains, indicators, maps, stories, etc.',
  search: 'Search',
  searching: 'Searching...',
  results: '{n} search results',
  none: 'No results!',
  noneHint: 'Try fewer or other words, or browse the domains and the data stories.',
  resultsFor: (query) => `Results for “${query}”`,
  kinds: { domain: 'Domain', indicator: 'Indicator', story: 'Data story' },
  darkTheme: 'Dark theme',
  languages: 'Language',
  menu: 'Menu',
  collapse: 'Collapse the sidebar',
  sections: 'Sections',
  stories: 'Data Stories',
  domains: 'Domains Data',
  maps: 'Maps',
  about: 'About',
  footer: 'About this site',
  keyNumbers: 'Key numbers',
  featured: 'Featured stories',
  allStories: 'All data stories',
  allDomains: 'All domains',
  openMap: 'Open the map',
  sources: (count) => (count === '1' ? '1 indicator' : `${count} indicators`),
  noSources: 'No public indicators yet',
  noStories: 'No stories yet',
  noStoriesText: 'Stories appear here when they are published.',
  noDomains: 'No public data yet',
  noDomainsText: 'Domains appear here when their first indicator becomes public.',
  showData: 'Show the data',
  tableOf: (title) => `Table: ${title}`,
  downloadCsv: 'Download CSV',
  exploreChart: 'Explore this chart',
  exploreMap: 'Explore this map',
  loading: 'This can take a bit!',
  latest: 'Latest value',
  noData: 'No data',
  updated: 'Updated',
  cadence: 'Expected',
  licence: 'Licence',
  attribution: 'Source',
  domain: 'Domain',
  facts: 'About this indicator',
  onTheMap: 'On the map',
  theData: 'The data',
  firstRows: (shown, total) => `The first ${shown} of ${total} rows. The downloads below hold all of them.`,
  downloads: 'Downloads',
  rows: 'rows',
  size: 'Size',
  dataOf: 'data of',
  download: (format) => `Download ${format}`,
  api: 'Use it in your own work',
  apiText: 'Ask for the same rows from a program or a spreadsheet. No key is needed for public data.',
  related: 'Related',
  follow: 'Follow the changes',
  places: 'On this map',
  noPlaces: 'Nothing is on this map yet.',
  stale: (date) => `Live figures are not available at the moment. This page shows the data of ${date}.`,
  published: 'Published',
  photo: 'Photo',
  embed: 'Open',
  transcript: 'Transcript',
  notFound: "Sorry, that page doesn't exist!",
  notFoundText: 'It may have moved, or the address has a slip in it.',
  back: 'Back',
  tryAgain: 'Try again',
  toHome: 'Go to the first page',
  preparing: 'This hub is being prepared',
  preparingText: 'Its first pages are on their way. Please come back in a few minutes.',
}

const byLanguage: Record<string, Words> = { en: english }

/** Gives the words of the locale's language (`en-GB` finds `en`); a language without words gives English. */
export function words(locale: string): Words {
  return byLanguage[locale.split('-')[0]?.toLowerCase() ?? 'en'] ?? english
}

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** Gives the writing direction of the locale, for the `dir` of the html element. */
export function direction(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.split('-')[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'
}
