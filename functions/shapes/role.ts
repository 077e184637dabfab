import { listOptions } from './options.ts'

export const RoleOptions = listOptions({ id: 'text', name: 'text', scope: 'text', isBuiltIn: 'boolean' })
