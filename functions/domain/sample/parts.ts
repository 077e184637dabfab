import { samplePrefix } from '#functions/shapes/sample.ts'
import { lines } from './earthquakes.ts'

/** The description of the sample data and their origin. */
export const about = {
  name: 'Earthquakes of one week',
  attribution: 'U.S. Geological Survey',
  attributionUrl: 'https://earthquake.usgs.gov/',
  licence: 'U.S. Government work, public domain',
}

/** The records of the sample, as its data type has them. */
export const records = lines.split('\n').map((line) => {
  const [id = '', time = '', magnitude, depth, longitude, latitude, place = ''] = line.split('|')
  return {
    ...{ id, time, magnitude: Number(magnitude), depth: Number(depth), place },
    page: `https://earthquake.usgs.gov/earthquakes/eventpage/${id}`,
    location: { type: 'Point', coordinates: [Number(longitude), Number(latitude)] },
  }
})

export const dataType = {
  name: `${samplePrefix}Earthquake`,
  category: 'Environment',
  notes: 'One record for each earthquake. It is part of the sample data, and goes with them.',
  temporal: { primary: 'time' },
  schema: {
    id: { name: 'Id', type: 'text', identifier: true, validation: { required: true, notEmpty: true } },
    time: { name: 'Time', type: 'date', validation: { required: true } },
    magnitude: { name: 'Magnitude', type: 'number', validation: { min: -5, max: 10 } },
    depth: { name: 'Depth', type: 'number', measurement: { type: 'distance', value: 'kilometer' } },
    place: { name: 'Place', type: 'text', search: true },
    page: { name: 'Page', type: 'text', validation: { url: true } },
    location: { name: 'Epicentre', type: 'point' },
  },
}

export const source = {
  name: `${samplePrefix}${about.name}`,
  notes:
    'Sample data to play with, not your organization’s: the earthquakes of magnitude 2.5 and more that the networks recorded from 31 January to 7 February 2018. Only your team sees them.',
  visibility: 'place',
  attribution: about.attribution,
  attributionUrl: about.attributionUrl,
  licence: about.licence,
  tags: ['sample'],
}

const field = (key: string) => ({ field: `data.${key}` })

/** The insights by their names on the page. */
export const insights = {
  days: {
    name: `${samplePrefix}Earthquakes by day`,
    notes: 'Made of the sample data.',
    visibility: 'place',
    visualization: { type: 'bar', settings: { x: 'day', y: 'earthquakes' } },
    query: {
      aggregations: [
        { alias: 'day', name: 'Day', value: { function: 'bucket', arguments: ['day', field('time')] } },
        { alias: 'earthquakes', name: 'Earthquakes', value: { function: 'count', arguments: [] } },
      ],
      groupings: [{ field: 'day' }],
      orderings: [{ value: { field: 'day' }, direction: 'asc' }],
    },
  },
  places: {
    name: `${samplePrefix}Where the earth shook`,
    notes: 'Made of the sample data.',
    visibility: 'place',
    visualization: {
      type: 'map',
      settings: { geometry: 'location', label: 'place', boundarySetId: 'world-countries' },
    },
    query: {
      aggregations: [
        { alias: 'event', name: 'Event', value: { field: 'data.id' } },
        { alias: 'place', name: 'Place', value: field('place') },
        { alias: 'magnitude', name: 'Magnitude', value: field('magnitude') },
        { alias: 'location', name: 'Epicentre', value: field('location') },
      ],
      groupings: ['event', 'place', 'magnitude', 'location'].map((alias) => ({ field: alias })),
      orderings: [{ value: { field: 'magnitude' }, direction: 'desc' }],
      limit: 1000,
    },
  },
} as const

export const page = {
  type: 'storytelling',
  title: `${samplePrefix}A week of earthquakes`,
  description: 'A page made of sample data, to see what a page can be.',
  visibility: 'place',
  publish: 'draft',
}

/** The contents of the page in order, with the ids of its insights. */
export const buildContents = (ids: Record<keyof typeof insights, string>) => [
  {
    kind: 'text',
    settings: {
      html: '<p>This page is made of sample data, which are not your organization’s: earthquakes of magnitude 2.5 and more, as the U.S. Geological Survey published them. Change it, add to it, try what a page can do. Only your team sees it, and it goes when the sample data are removed.</p><h2>Where the earth shook</h2><p>Each circle is an earthquake, or several that lie close together.</p>',
    },
  },
  { kind: 'map', settings: { insightId: ids.places } },
  {
    kind: 'text',
    settings: {
      html: '<h2>Day by day</h2><p>The records begin and end within a day, so the first and the last day are not whole.</p>',
    },
  },
  { kind: 'insight', settings: { insightId: ids.days } },
]
