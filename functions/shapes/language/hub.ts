import type { EdgeWords } from './edge.ts'
import type { ErrorKind, ErrorTexts } from './errors.ts'

/** The interface's own words on hub pages, in one language. Content (titles, notes, names) is never translated. */
export interface Words extends EdgeWords {
  skip: string
  indicators: (count: number) => string
  searchLabel: string
  searchPlaceholder: string
  searchButton: string
  /** Leads from the results of the box to the page of results. */
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
  tableOf: (title: string) => string
  downloadCsv: string
  /** The ways to see the answer of a figure. */
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
  /** A live figure did not load, and may be asked for again. */
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
  /** Leads to the table of all records of a source. */
  allRecords: string
  theData: string
  /** Both formatted. */
  firstRows: (part: string, total: string) => string
  /** Of the answer of a figure, whole in the file below it; both formatted. */
  answerRows: (part: string, rows: string) => string
  /** A limit left some rows out of the answer. */
  cutAnswer: (rows: string, total: string) => string
  downloads: string
  rows: (count: number) => string
  dataOf: (date: string) => string
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
  /** The indicators whose data changed last. */
  newest: string
  /** Leads from a list to the search, where it can be sorted and filtered. */
  sortAndFilter: string
  /** Leads to all of a list of which the first are shown. */
  showAll: (count: string) => string
  /** Before the sources that a story uses. */
  dataUsed: string
  /** Why an indicator stands beside another. */
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
  /** With {n} for how many of the {total} things a map shows now. */
  inView: string
  noPlaces: string
  placeMap: (name: string) => string
  mapLayers: string
  /** The switch that shows what the regions of a map are called. */
  regionNames: string
  firstListed: (part: string, total: string) => string
  largerCircles: string
  /** Sources beyond those that one map shows. */
  moreSources: (n: number) => string
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
  /** The titles of pages that stand instead of another. */
  errorTitles: { access: string; missing: string; broken: string }
  /** Said on a page of which some is not in its language but in the one of this name. */
  partly: (language: string) => string
}
