import type { FrameTexts } from '../frame.ts'

export const frame: FrameTexts = {
  nearest: 'Did you mean one of these pages?',
  searchInstead: 'Search this hub instead',
  unknownHost: {
    title: 'There is no hub at this address',
    text: 'You asked for {host}. No organization has a hub there.',
    advice: 'The address may be misspelt, or the organization has moved or closed its hub.',
  },
  closedHost: {
    title: 'This hub was closed',
    text: 'The organization at {host} has closed its hub and everything in it.',
    advice:
      'Ask the organization itself for its data. If you run it, sign in to the workspace to open it again in time.',
  },
  openSearch: 'Search the open data of {name}',
  footer: { contact: 'Contact', licences: 'Licences', feeds: 'Feeds and catalogues', api: 'API' },
  byTopic: 'Data by topic',
  publisher: 'Publisher',
  licences: {
    text: 'Each indicator names its own licence. These are in use:',
    none: { one: '{n} indicator names no licence.', other: '{n} indicators name no licence.' },
    empty: 'No indicator names a licence yet.',
  },
  feeds: {
    text: 'For feed readers and for programs that collect open data:',
    changes: 'Changed data',
    stories: 'New stories',
    catalogues: 'Catalogue',
  },
  noContact: 'The organization has not named a contact.',
  accessibility: {
    title: 'Accessibility',
    intro:
      'What automated tests found on the pages of hubs like that of {name}. This is a test result and no claim that every page conforms to a standard.',
    results: 'Last automated results',
    method:
      'The pages are opened in a browser and checked by a program. They are those of a sample hub made by the same software; texts and pictures of this hub are its own.',
    date: 'Date of the test',
    tool: 'Tested with',
    rules: 'Rules',
    pages: 'Kinds of pages',
    languages: 'Languages',
    themes: 'Themes',
    light: 'light',
    dark: 'dark',
    widths: 'Widths in pixels',
    checks: 'Pages checked',
    found: 'Found',
    faults: { one: '{n} fault', other: '{n} faults' },
    noFaults: 'No fault was found.',
    noResult: 'No result is on record for this version.',
    limits:
      'A program sees only part of what can be wrong: it cannot judge whether a text is clear or a description fits its picture.',
    report: 'Does something not work for you? Please tell us:',
    noContact: 'The organization has not named a contact for this.',
  },
  privacy: {
    title: 'Privacy',
    ofPlace: 'What {name} says',
    ofHub: 'What this hub does',
    facts: [
      'It sets no cookies and shows no advertising. Your choice of theme and sidebar stays in your browser.',
      'It counts how often pages are read, how fast they were, from which sites and countries readers came, and on what kind of device. Each is added up by itself; no person is recognized, neither on the next page nor on the next day.',
      'Browsers that send “Do Not Track” or “Global Privacy Control” are not counted.',
      'Searches that found nothing are kept as words once they came three times on a day, without who searched.',
    ],
  },
}
