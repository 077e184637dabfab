import { endpoint } from '#functions/api/endpoint.ts'
import { csv, importTexts } from '#functions/domain/translation/file.ts'
import * as texts from '#functions/domain/translation/texts.ts'
import * as translations from '#functions/domain/translation/translations.ts'
import { Deleted, buildListShape } from '#functions/shapes/returns.ts'
import {
  ExportOptions,
  ImportReport,
  NewTranslation,
  PlaceTexts,
  TextOptions,
  TranslationImport,
  TranslationOptions,
  TranslationRow,
} from '#functions/shapes/translation.ts'

/** Translations of a place's texts into the other languages of its hub. */
export const translation = {
  texts: endpoint({
    allow: 'text.read',
    http: { method: 'get' },
    options: TextOptions,
    returns: PlaceTexts,
    summary: 'All texts of a place beside what they are in a language, and what is missing',
    run: texts.find,
  }),
  'texts.csv': endpoint({
    allow: 'text.read',
    http: { method: 'get' },
    stream: true,
    heavy: true,
    media: ['text/csv'],
    options: ExportOptions,
    summary: 'The texts of a place for a translator, as CSV: those to be translated, or all',
    run: csv,
  }),
  import: endpoint({
    allow: 'text.translate',
    http: { method: 'post' },
    heavy: true,
    data: TranslationImport,
    returns: ImportReport,
    summary: 'Say what a translator’s file would change; with the token of that answer, change it',
    run: importTexts,
  }),
  find: endpoint({
    allow: 'text.read',
    options: TranslationOptions,
    returns: buildListShape(TranslationRow),
    run: translations.find,
  }),
  create: endpoint({
    allow: 'text.translate',
    data: NewTranslation,
    returns: TranslationRow,
    summary: 'Write a text in another language, or write it anew',
    run: translations.create,
  }),
  deleteById: endpoint({
    allow: 'text.translate',
    returns: Deleted,
    summary: 'Take a translation away: the hub shows the original again',
    run: translations.deleteById,
  }),
}
