import { expect, test } from 'vitest'
import { roleName } from './builtInRole.ts'

test('a role of the product has its name, any other has none here', () => {
  expect(['organization_admin', 'viewer', 'field_crew', 'constructor'].map(roleName)).toEqual([
    'Organization admin',
    'Viewer',
    undefined,
    undefined,
  ])
})
