import type { Parser } from './parser.ts'

export const ods = {
  label: 'OpenDocument sheet',
  notes: 'Workbooks of type .ods (LibreOffice); the first row with text heads each sheet.',
  options: ['autoFormat', 'zip', 'selector'],
  endings: ['ods'],
  content: 'archive',
  zipped: /\.ods$/i,
} as const satisfies Parser
