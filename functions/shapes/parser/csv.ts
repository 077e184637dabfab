import type { Parser } from './parser.ts'

export const csv = {
  label: 'CSV',
  notes:
    'The header is the first row, or what headerRows says; where comments (lines starting with #) stand before it, all such lines are left out.',
  options: ['autoFormat', 'zip', 'file', 'headerRows', 'leaveOut', 'takeIn'],
  endings: ['csv', 'txt'],
  content: 'table',
  zipped: /\.csv$/i,
  mostBytes: null,
  tooLarge: 'Give its address, or pack it into a zip archive.',
} as const satisfies Parser
