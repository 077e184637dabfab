import type { EdgeWords } from '../edge.ts'

export const edge: EdgeWords = {
  results: { other: '{n} search results' },
  none: 'No results!',
  kinds: { domain: 'Domain', indicator: 'Indicator', story: 'Data story', map: 'Map' },
  search: {
    all: 'All',
    byKind: 'Kind of result',
    byDomain: 'Domain of the result',
    page: 'Page {n} of {of}',
    previous: 'Previous',
    next: 'Next',
  },
  preparing: {
    title: 'This hub is being prepared',
    text: 'Its first pages are on their way. Please come back in a few minutes.',
  },
  updating: {
    title: 'This page is being updated',
    text: 'Something it showed is no longer public. Please come back in a few moments.',
  },
  unreadable: {
    title: 'This page cannot be shown right now',
    text: 'The storage that holds it does not answer. Nothing is lost; please try again in a minute.',
  },
}
