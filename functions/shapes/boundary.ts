import { listOptions } from './options.ts'

export const BoundaryOptions = listOptions({
  id: 'text',
  code: 'text',
  name: 'text',
  type: 'text',
  parentId: 'text',
})
