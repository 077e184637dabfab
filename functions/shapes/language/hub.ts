import type { EdgeTexts } from './edge.ts'
import type { ErrorKind, ErrorTexts } from './errors.ts'

/** The interface texts of hub pages in one language. Content (titles, notes, names) is never translated. */
export interface HubTexts extends EdgeTexts {
  skip: string
  indicators: (count: number) => string
  searchLabel: string
  searchPlaceholder: string
  searchButton: string
  /** Links from the results of the search box to the page of results. */
  searchPage: string
  resultsFor: (query: string) => string
  darkTheme: string
  languages: string
  menu: string
  collapse: string
  sections: string
  stories: string
  domains: string
  maps: string
  about: string
  aboutPlace: (name: string) => string
  footer: string
  keyNumbers: string
  publicRecords: string
  indicatorsTitle: string
  recordsTitle: string
  featured: string
  allStories: string
  allDomains: string
  openMap: string
  records: (count: number) => string
  noSources: string
  noStories: string
  noStoriesText: string
  noDomains: string
  noDomainsText: string
  showData: string
  tableLabel: (title: string) => string
  downloadCsv: string
  /** The label of the views of a figure. */
  viewAs: string
  viewChart: string
  viewMap: string
  viewTable: string
  downloadSvg: string
  downloadPng: string
  fullScreen: string
  exploreChart: string
  exploreMap: string
  loading: string
  /** A live figure failed to load; offers a retry. */
  notLive: string
  noData: string
  openData: string
  updated: string
  licence: string
  attribution: string
  domain: string
  timeZone: string
  facts: string
  onTheMap: string
  /** Links to the table of all records of a source. */
  allRecords: string
  theData: string
  /** Both are formatted. */
  firstRows: (part: string, total: string) => string
  /** Rows of the answer of a figure that are shown; the file below has all. Both are formatted. */
  answerRows: (part: string, rows: string) => string
  /** A limit cut rows off the answer. */
  cutAnswer: (rows: string, total: string) => string
  downloads: string
  rows: (count: number) => string
  dataDate: (date: string) => string
  download: (format: string) => string
  api: string
  apiText: string
  apiDocs: string
  related: string
  topics: string
  allTopics: string
  topicsText: string
  noTopics: string
  noTopicsText: string
  allIndicators: string
  /** The heading of the indicators with the newest data. */
  newest: string
  /** Links from a list to the search, where it can be sorted and filtered. */
  sortAndFilter: string
  /** Links to the complete list, of which only the first items are shown. */
  showAll: (count: string) => string
  /** The heading of the sources that a story uses. */
  dataUsed: string
  /** Why an indicator is listed as related to another. */
  relatedBy: {
    domain: (name: string) => string
    story: (title: string) => string
    topic: string
    columns: (names: string) => string
    place: (names: string) => string
  }
  follow: string
  share: string
  shareLink: string
  shareEmbed: string
  sharePicture: string
  copy: string
  copied: string
  places: string
  /** {n} is how many of the {total} items are in view on a map. */
  inView: string
  noPlaces: string
  placeMap: (name: string) => string
  mapLayers: string
  /** The switch for the labels of the regions of a map. */
  regionNames: string
  firstListed: (part: string, total: string) => string
  largerCircles: string
  /** Sources that are not on this map, because a map shows only so many. */
  moreSources: (n: number) => string
  noFigure: string
  stale: (date: string) => string
  published: string
  photo: string
  video: string
  embed: string
  transcript: string
  notFound: string
  notFoundText: string
  back: string
  tryAgain: string
  toHome: string
  errors: Record<ErrorKind, ErrorTexts>
  /** The titles of error pages. */
  errorTitles: { access: string; missing: string; broken: string }
  /** Shown on a page of which some parts are only in the language of this name. */
  partly: (language: string) => string
}
