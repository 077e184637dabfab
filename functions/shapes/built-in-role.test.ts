import { expect, test } from 'vitest'
import { roleName } from './built-in-role.ts'

test('a built-in role has its name, any other has none', () => {
  expect(['organization_admin', 'viewer', 'field_crew', 'constructor'].map(roleName)).toEqual([
    'Organization admin',
    'Viewer',
    undefined,
    undefined,
  ])
})
