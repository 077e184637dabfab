import { calendarDate, isoDate } from '#functions/shapes/fields/dates.ts'
import { isCalendarDate, type Field } from '#functions/shapes/field.ts'
import { parseJsonOrText } from '../form/typed-text.ts'

/** A value as text for its input; '' without one. */
export function formatInputValue(field: Field, value: unknown): string {
  if (value === undefined || value === null) return ''
  switch (field.type) {
    case 'date':
      if (isCalendarDate(field))
        return asText(value).slice(0, { day: 10, month: 7, year: 4 }[field.precision])
      return isoDate(value)?.slice(0, 19) ?? asText(value)
    case 'point': {
      const { coordinates } = value as { coordinates?: unknown }
      return Array.isArray(coordinates) ? coordinates.join(', ') : asText(value)
    }
    case 'array':
      return Array.isArray(value) && isLined(field) ? value.map(asText).join('\n') : asText(value)
    default:
      return asText(value)
  }
}

/** Parses a text for a field; undefined if empty. Invalid text stays text, so that validation reports it. */
export function readValue(field: Field, text: string): unknown {
  if (text.trim() === '') return undefined
  switch (field.type) {
    case 'text':
      return text
    case 'number':
      return numberIn(text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'date':
      if (isCalendarDate(field)) return calendarDate(text, field.precision) ?? text
      return isoDate(text.length === 16 ? `${text}:00Z` : text) ?? text
    case 'point': {
      const parts = text.split(/[\s,]+/).filter(Boolean)
      return text.trim().startsWith('{')
        ? parseJsonOrText(text)
        : { type: 'Point', coordinates: parts.map(numberIn) }
    }
    case 'array': {
      if (!isLined(field)) return parseJsonOrText(text)
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      return field.items?.type === 'number' ? lines.map(numberIn) : lines
    }
    default:
      return parseJsonOrText(text)
  }
}

/** Whether values of a field are edited as lines of text. */
export const isLined = ({ items }: Field) => items?.type === 'text' || items?.type === 'number'
/** A value as text: JSON where it is none. */
export const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function numberIn(text: string): number | string {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
