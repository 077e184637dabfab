import { stateCodes } from '#functions/engine/import/profile/regions.ts'
import type { CalendarPrecision, Field, FieldSchema } from '#functions/shapes/field.ts'

type DataTypeDocument = {
  id: string
  name: string
  category: string
  notes: string
  temporal?: { primary: string }
  schema: FieldSchema
}

const text = (name: string, validation?: Field['validation'], notes?: string): Field => ({
  name,
  type: 'text',
  search: true,
  ...(notes ? { notes } : {}),
  ...(validation ? { validation } : {}),
})
const number = (
  name: string,
  measurement?: Field['measurement'],
  validation?: Field['validation'],
): Field => ({
  name,
  type: 'number',
  ...(measurement ? { measurement } : {}),
  ...(validation ? { validation } : {}),
})
const date = (name: string, bucket?: string): Field => ({
  name,
  type: 'date',
  validation: { required: true },
  ...(bucket ? { measurement: { type: 'bucket', value: bucket } } : {}),
})
const calendarDate = (name: string, precision: CalendarPrecision): Field => ({
  name,
  type: 'date',
  precision,
  validation: { required: true },
})
const location = (name = 'Location'): Field => ({ name, type: 'point' })
const id = (name: string): Field => ({ ...text(name, { required: true, notEmpty: true }), identifier: true })
const withUnit = (unit: string, field: Field): Field => ({ ...field, unit })
/** A field with a state's postal code. */
const state: Field = { ...text('State'), region: 'us-states', values: stateCodes() }

const celsius = { type: 'temperature', value: 'celsius' }
const millimetres = { type: 'distance', value: 'millimeter' }
const kilometres = { type: 'distance', value: 'kilometer' }
const minutes = { type: 'duration', value: 'minute' }
const dollars = { type: 'currency', value: 'usd' }

/** The official data types of the demo, which every place may use. */
export const dataTypes: DataTypeDocument[] = [
  {
    id: 'daily-weather',
    name: 'Daily weather',
    category: 'Environment',
    notes: 'One record a day at one weather station.',
    temporal: { primary: 'day' },
    schema: {
      id: id('Id'),
      day: calendarDate('Day', 'day'),
      precipitation: { ...number('Precipitation', millimetres, { required: true, min: 0 }), additive: true },
      maximum: number('Highest temperature', celsius, { min: -90, max: 60 }),
      minimum: number('Lowest temperature', celsius, { min: -90, max: 60 }),
      wind: withUnit('m/s', number('Wind speed', undefined, { min: 0 })),
      weather: text('Weather', { enum: ['drizzle', 'fog', 'rain', 'snow', 'sun'] }),
    },
  },
  {
    id: 'hourly-climate',
    name: 'Hourly climate',
    category: 'Environment',
    notes: 'What is normal for each hour of the year at one weather station.',
    temporal: { primary: 'hour' },
    schema: {
      id: id('Id'),
      hour: date('Hour', 'hour'),
      temperature: number('Temperature', celsius, { min: -90, max: 60 }),
      pressure: withUnit('hPa', number('Air pressure', undefined, { min: 800, max: 1100 })),
      wind: withUnit('m/s', number('Wind speed', undefined, { min: 0 })),
    },
  },
  {
    id: 'airport',
    name: 'Airport',
    category: 'Transport',
    notes: 'Airports and airfields.',
    schema: {
      id: id('Code'),
      name: text('Name', { required: true }),
      city: text('City'),
      state,
      country: text('Country'),
      location: location(),
    },
  },
  {
    id: 'postal-area',
    name: 'Postal area',
    category: 'Society',
    notes: 'Postal codes with one point each; several codes of a county can share its point.',
    schema: {
      id: { ...text('ZIP code', { required: true, regex: '^[0-9]{5}$' }), identifier: true },
      city: text('City'),
      county: text('County'),
      state,
      location: location(),
    },
  },
  {
    id: 'flight',
    name: 'Flight',
    category: 'Transport',
    notes:
      'Scheduled flights with their delay on arrival. Times are read in the place’s zone: the source names none.',
    temporal: { primary: 'departure' },
    schema: {
      id: id('Id'),
      departure: date('Departure', 'minute'),
      origin: text('Origin', { required: true }),
      destination: text('Destination', { required: true }),
      delay: number('Delay', minutes),
      distance: number('Distance', kilometres, { min: 0 }),
      location: location('Origin airport'),
    },
  },
  {
    id: 'wildlife-strike',
    name: 'Wildlife strike',
    category: 'Transport',
    notes: 'Collisions of aircraft with birds and other animals.',
    temporal: { primary: 'day' },
    schema: {
      id: id('Id'),
      day: calendarDate('Day', 'day'),
      airport: text('Airport'),
      state: { ...text('State'), region: 'us-states' },
      operator: text('Operator'),
      aircraft: text('Aircraft'),
      phase: text('Phase of flight'),
      species: text('Species'),
      size: text('Size of the animal', { enum: ['Small', 'Medium', 'Large'] }),
      timeOfDay: text('Time of day'),
      damage: text('Damage'),
      cost: { ...number('Cost', dollars, { min: 0 }), additive: true },
    },
  },
  {
    id: 'capital',
    name: 'State capital',
    category: 'Society',
    notes: 'Capitals of states.',
    schema: { id: id('State'), city: text('City', { required: true }), location: location() },
  },
  {
    id: 'country-development',
    name: 'Country development',
    category: 'Society',
    notes: 'Population, life expectancy and fertility of countries, every five years.',
    temporal: { primary: 'year' },
    schema: {
      id: id('Id'),
      country: { ...text('Country', { required: true }), region: 'world-countries' },
      year: calendarDate('Year', 'year'),
      population: number('Population', undefined, { min: 0 }),
      lifeExpectancy: withUnit('years', number('Life expectancy', undefined, { min: 0, max: 120 })),
      fertility: number('Children per woman', undefined, { min: 0, max: 15 }),
    },
  },
  {
    id: 'earthquake',
    name: 'Earthquake',
    category: 'Environment',
    notes: 'Seismic events, by the networks that recorded them.',
    temporal: { primary: 'time' },
    schema: {
      id: id('Id'),
      time: date('Time', 'second'),
      magnitude: number('Magnitude', undefined, { min: -5, max: 10 }),
      depth: number('Depth', kilometres),
      place: text('Place'),
      kind: text('Kind', { enum: ['earthquake', 'explosion', 'quarry blast'] }),
      hasTsunami: { name: 'Tsunami', type: 'boolean' },
      url: text('Page', { url: true }),
      location: location('Epicentre'),
    },
  },
  {
    id: 'disaster',
    name: 'Natural disaster',
    category: 'Environment',
    notes: 'Deaths in a year, by kind of disaster.',
    temporal: { primary: 'year' },
    schema: {
      id: id('Id'),
      kind: text('Kind', { required: true }),
      year: calendarDate('Year', 'year'),
      deaths: number('Deaths', undefined, { min: 0 }),
    },
  },
]
