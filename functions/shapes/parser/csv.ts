import type { Parser } from './parser.ts'

export const csv = {
  label: 'CSV',
  notes:
    'One header row; where comments (lines starting with #) stand before it, all such lines are left out.',
  options: ['autoFormat', 'zip'],
  endings: ['csv', 'txt'],
  content: 'table',
  zipped: /\.csv$/i,
} as const satisfies Parser
