import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { encrypt, secretMark, decrypt, type EncryptedFor } from './encrypt.ts'
import { encryptLibrarySecretAgain, libraryMark } from '#functions/domain/identity/library-secrets.ts'
import { codesMark, encryptCodesAgain } from '#functions/domain/identity/recovery-codes.ts'
import { openStatuses } from '#functions/shapes/job-status.ts'

/** How texts of a column are encrypted. */
interface Form {
  /** A text that every value encrypted with a secret contains. */
  mark(secret: string): Promise<string>
  /** The text encrypted with the present secret; null: neither secret decrypts it. `of`: the id that it is bound to. */
  encryptAgain(secrets: AuthSecrets, of: string, text: string): Promise<string | null>
}

/** A column with values that are encrypted with the product's secret. */
export interface EncryptedColumn {
  table: string
  column: string
  /** For JSON: the path of the object with the value. */
  below?: string
  /** The column that identifies a row; `id` by default. */
  key?: string
  /** The column with the id that values are bound to; `key` by default. */
  of?: string
  /** A condition for the rows whose value may still be needed; all by default. */
  which?: RawBuilder<SqlBool>
  form: Form
  /** What helps where neither secret decrypts a text. */
  remedy: string
}

const createPurposeForm = (purpose: EncryptedFor['purpose']): Form => ({
  mark: secretMark,
  async encryptAgain(secrets, id, text) {
    const plainText = await decrypt(secrets, { purpose, id }, text)
    return plainText === null ? null : encrypt(secrets, { purpose, id }, plainText)
  },
})

const libraryForm: Form = {
  mark: libraryMark,
  encryptAgain: (secrets, _of, text) => encryptLibrarySecretAgain(secrets, text),
}
const codesForm: Form = {
  mark: codesMark,
  encryptAgain: (secrets, _of, text) => encryptCodesAgain(secrets, text),
}

const isOpen = sql<SqlBool>`t.status in (${sql.join([...openStatuses])})`
const typeAgain = 'have their passwords and keys typed again and the importer saved'
const runAgain = 'run the importer again'
const askOperator = 'npm run recover-factor removes the factor, and the person sets up another'

/**
 * Every column with encrypted values, by purpose: the command for replacing the secret, its check and a test iterate
 * over it. A new column is one line here. An empty list: values of that purpose are in no table.
 */
const byPurpose: Record<EncryptedFor['purpose'], EncryptedColumn[]> = {
  importer: [
    { table: 'importer', column: 'secrets', form: createPurposeForm('importer'), remedy: typeAgain },
    // A run has a copy of its importer from when it began.
    ...[
      { below: 'secrets', column: 'plan', of: 'importer_id' },
      { below: 'link', column: 'cursor' },
    ].map((each) => ({
      ...{ table: 'job', which: isOpen, form: createPurposeForm('importer'), remedy: runAgain },
      ...each,
    })),
  ],
  observer: [
    {
      ...{ table: 'observer', column: 'secret', form: createPurposeForm('observer') },
      remedy: 'make the observer again, and give its new secret to who checks its webhooks',
    },
  ],
  sso: [
    {
      ...{ table: 'place_sso', column: 'secret', key: 'place_id', form: createPurposeForm('sso') },
      remedy: 'have an organization admin enter the secret of the provider again',
    },
  ],
  // Only in cookies, for ten minutes.
  ssoCookie: [],
  recoveryCodes: [
    { table: 'two_factor', column: 'backup_codes', key: 'user_id', form: codesForm, remedy: askOperator },
  ],
}

/** Values that the auth library encrypts. */
const libraryColumns: EncryptedColumn[] = [
  { table: 'two_factor', column: 'secret', key: 'user_id', form: libraryForm, remedy: askOperator },
]

export const encryptedColumns: readonly EncryptedColumn[] = [
  ...Object.values(byPurpose).flat(),
  ...libraryColumns,
]

/** The name of a column in reports. */
export const formatColumnName = ({ table, column, below }: EncryptedColumn): string =>
  [table, column, ...(below === undefined ? [] : [below])].join('.')
