import { expect, test } from 'vitest'
import { personalKind } from './personal.ts'

const field = (name: string, type: 'text' | 'number' | 'date' = 'text') => ({ name, type })

test.each([
  ['applicantEmail', field('E-mail'), [], 'email'],
  ['x', field('Note'), ['see ada@example.org'], 'email'],
  ['phone_number', field('Phone', 'number'), [], 'phone'],
  ['x', field('Note'), ['call +1 (206) 555-0100 now'], 'phone'],
  ['last_name', field('Last name'), [], 'name'],
  ['owner', field('Owner'), [], 'name'],
  ['homeAddress', field('Address'), [], 'address'],
  ['dob', field('Born', 'date'), [], 'birthDate'],
  ['x', field('Date of birth', 'date'), [], 'birthDate'],
  ['ssn', field('SSN'), [], 'id'],
  ['x', field('Number'), ['078-05-1120'], 'id'],
  ['species', field('Species'), ['Oak', '2026-11-23', '12.5', '98101'], null],
  ['name', field('Name'), ['Green Lake'], null],
  ['at', field('At', 'date'), ['2026-11-23T12:00:00.000Z'], null],
  ['total', field('Total', 'number'), ['2065550100'], null],
] as const)('%s %j %j: %s', (key, inputField, texts, kind) => {
  expect(personalKind(key, inputField, texts)).toBe(kind)
})
