import type { Parser } from './parser.ts'

export const ods = {
  label: 'OpenDocument sheet',
  notes:
    'Workbooks of type .ods (LibreOffice); the first row with text heads each sheet, or what headerRows says.',
  options: ['autoFormat', 'zip', 'selector', 'headerRows', 'leaveOut', 'takeIn'],
  endings: ['ods'],
  content: 'archive',
  zipped: /\.ods$/i,
} as const satisfies Parser
