import { listOptions } from './options.ts'

export const ActivityOptions = listOptions({
  id: 'text',
  at: 'date',
  verb: 'text',
  targetType: 'text',
  targetId: 'text',
  actorId: 'text',
})
