import type { Parser } from './parser.ts'

export const ods = {
  label: 'OpenDocument sheet',
  notes:
    'Workbooks of type .ods (LibreOffice); the first row with text heads each sheet, or what headerRows says.',
  options: ['autoFormat', 'zip', 'file', 'selector', 'headerRows', 'leaveOut', 'takeIn'],
  endings: ['ods'],
  content: 'archive',
  zipped: /\.ods$/i,
  mostBytes: 100_000_000,
  tooLarge: 'Save it as CSV, and pack that into a zip archive.',
} as const satisfies Parser
