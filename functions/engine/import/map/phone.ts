import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { CountryCode } from 'libphonenumber-js/min'
import { findCountryCode } from '#functions/shapes/region-codes.ts'
import { Refusal } from './reading.ts'

/** A telephone number in E.164; null if it is invalid in the country, given by its two- or three-letter code. */
export function phone(number: string, country = 'USA'): string | Refusal | null {
  const code = findCountryCode(country)
  if (code === null) return new Refusal(`Not the code of a country: ${country.slice(0, 40)}`, country)
  // The library returns null for unsupported countries.
  const parsed = parsePhoneNumberFromString(number, code as CountryCode)
  return parsed?.isValid() ? parsed.number : null
}
