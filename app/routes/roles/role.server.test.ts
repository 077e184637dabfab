import { expect, test } from 'vitest'
import { choosable } from './role.server.ts'

const operation = (id: string) => ({ id, sentence: id })
const groups = [
  { area: 'api', operations: [operation('api.read')] },
  { area: 'page', operations: [operation('page.read'), operation('page.create')] },
  { area: 'own', operations: [operation('report.print')] },
]

test('a role is offered what not everyone may do anyway', () => {
  expect(choosable(groups).map(({ area, operations }) => [area, operations.map(({ id }) => id)])).toEqual([
    ['page', ['page.create']],
    ['own', ['report.print']],
  ])
})

test('and what it holds already, so that saving does not take it away', () => {
  expect(choosable(groups, ['api.read'])[0]?.operations).toEqual([operation('api.read')])
})
