import type { Parser } from './parser.ts'

export const excel = {
  label: 'Excel',
  notes:
    'Workbooks of type .xlsx or .xlsm; the first row with text heads each sheet, or what headerRows says.',
  options: ['autoFormat', 'zip', 'file', 'selector', 'headerRows', 'leaveOut', 'takeIn'],
  endings: ['xlsx', 'xlsm'],
  content: 'archive',
  zipped: /\.xls[xm]$/i,
  mostBytes: 100_000_000,
  tooLarge: 'Save it as CSV, and pack that into a zip archive.',
} as const satisfies Parser
