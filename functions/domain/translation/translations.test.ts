import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import { Failure } from '#functions/errors.ts'
import { Download } from '#functions/shapes/download.ts'
import { v1 } from '#functions/v1/index.ts'
import { purgeDeleted } from '#functions/domain/internals/purge.ts'
import { getEventTags } from '#functions/domain/outbox/events.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await world
    .as('system')
    .db.updateTable('place')
    .set({ languages: '["en","es","ar"]' })
    .where('id', '=', 'oakton')
    .execute()
  await world
    .as('system')
    .db.updateTable('source')
    .set({ notes: 'Calls,\nevery day' })
    .where('id', '=', 'open')
    .execute()
})
afterAll(() => world.close())

const { translation } = v1.place
const params = { placeId: 'oakton' }
const admin = () => world.as('content_admin')
const name = { noun: 'source', nounId: 'open', path: 'name', language: 'es' } as const

const write = (data: object, who: Person = 'content_admin') =>
  call(translation.create, world.as(who), { params, data: { ...name, ...data } })
const catchRefusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof Failure ? (error.issues[0]?.validator ?? error.kind) : error),
  )
const listTexts = (options: object = {}, who: Person = 'content_admin') =>
  call(translation.texts, world.as(who), { params, options: { language: 'es', limit: 1000, ...options } })
const findText = async (path: string, nounId = 'open') =>
  (await listTexts()).results.find((text) => text.path === path && text.nounId === nounId)
const getDatabase = () => world.as('system').db

describe('a text in another language', () => {
  test('is created, updated by its version, and removed; each makes its pages in that language stale', async () => {
    const createdTranslation = await write({ text: ' Abierto ' })
    expect(createdTranslation).toMatchObject({ text: 'Abierto', original: 'open', version: 1 })
    expect(await findText('name')).toMatchObject({ state: 'done', text: 'Abierto', before: null })
    expect(await catchRefusal(write({ text: 'Otro', version: 7 }))).toBe('conflict')
    expect(await write({ text: 'Otro', version: 1 })).toMatchObject({ id: createdTranslation.id, version: 2 })
    const events = await getDatabase()
      .selectFrom('outbox')
      .selectAll()
      .where('kind', '=', 'translation')
      .execute()
    expect(new Set(events.flatMap(getEventTags))).toContain('es source:open')
    expect(events.flatMap(getEventTags).every((tag) => tag.startsWith('es '))).toBe(true)
    await call(translation.deleteById, admin(), {
      params: { ...params, translationId: createdTranslation.id },
    })
    expect(await findText('name')).toMatchObject({ state: 'missing', text: null })
  })

  test('is outdated once its original changed', async () => {
    await write({ path: 'notes', text: 'Llamadas,\ncada día' })
    await getDatabase()
      .updateTable('source')
      .set({ notes: 'Calls by phone' })
      .where('id', '=', 'open')
      .execute()
    expect(await findText('notes')).toMatchObject({ state: 'stale', before: 'Calls,\nevery day' })
    const { counts, results } = await listTexts({ state: 'stale' })
    expect(counts.stale).toBe(1)
    expect(results.map(({ path }) => path)).toEqual(['notes'])
    await write({ path: 'notes', text: 'Llamadas por teléfono' })
    expect(await findText('notes')).toMatchObject({ state: 'done' })
  })

  test.each([
    ['an override of direction', { text: 'abc\u202edef' }, 'direction'],
    ['a control character', { text: 'a\u0007b' }, 'characters'],
    ['two lines in a name', { text: 'a\nb' }, 'line'],
    ['HTML in a plain text', { text: 'a <b>b</b>' }, 'plain'],
    ['nothing', { text: '  ' }, 'required'],
    ['a text that is too long', { text: 'x'.repeat(201) }, 'maxLength'],
    ['a language the hub has not', { text: 'x', language: 'ja' }, 'language'],
    ['its own language', { text: 'x', language: 'en' }, 'language'],
    ['another place’s row', { text: 'x', nounId: 'theirs' }, 'nounId'],
    ['a text it has not', { text: 'x', path: 'visibility' }, 'path'],
    ['a path of every object', { text: 'x', path: '__proto__' }, 'path'],
  ])('is rejected: %s', async (_, data, validator) => {
    expect(await catchRefusal(write(data))).toBe(validator)
  })

  test('is sanitised HTML where its original is HTML', async () => {
    await getDatabase()
      .updateTable('place')
      .set({ about: '<p>We <a href="https://a.test/">count</a>.</p>' })
      .where('id', '=', 'oakton')
      .execute()
    const about = { noun: 'place', nounId: 'oakton', path: 'about' }
    const text = '<p onclick="x()">Contamos.</p><script>alert(1)</script>'
    expect(await catchRefusal(write({ ...about, text }))).toBe('forbidden')
    expect(await write({ ...about, text }, 'organization_admin')).toMatchObject({ text: '<p>Contamos.</p>' })
  })

  test('may be the title or a choice of a public metadata field, and is hidden once the field is private', async () => {
    const field = { notes: '', required: false, version: 1, position: 0, placeId: 'oakton' }
    await getDatabase()
      .insertInto('customField')
      .values([
        {
          ...field,
          key: 'how',
          title: 'Method',
          kind: 'choice',
          choices: ['By hand', 'v1.2'],
          isPublic: true,
        },
        { ...field, key: 'inner', title: 'Shelf', kind: 'text', choices: [], isPublic: false },
      ])
      .execute()
    const place = { noun: 'place', nounId: 'oakton' } as const
    const paths = (await listTexts()).results.flatMap(({ path }) =>
      path.startsWith('customFields.how.') ? [path] : [],
    )
    const title = 'customFields.how.title'
    expect(paths).toEqual([title, 'customFields.how.choices.By%20hand', 'customFields.how.choices.v1%2E2'])
    await write({ ...place, path: title, text: 'Método' }, 'organization_admin')
    const shelf = { ...place, path: 'customFields.inner.title', text: 'Estante' }
    expect(await catchRefusal(write(shelf, 'organization_admin'))).toBe('path')
    const findTexts = async () =>
      (await call(translation.find, world.as('anonymous'), { params, options: {} })).results.map(
        ({ text }) => text,
      )
    expect(await findTexts()).toContain('Método')
    await getDatabase().updateTable('customField').set({ isPublic: false }).where('key', '=', 'how').execute()
    expect(await findTexts()).not.toContain('Método')
  })

  test('is written by people who may change its noun, and seen by those who see it', async () => {
    expect(await catchRefusal(write({ text: 'x' }, 'member'))).toBe('forbidden')
    expect(await catchRefusal(write({ text: 'x' }, 'anonymous'))).toBe('unauthenticated')
    await write({ nounId: 'inner', text: 'Cerrado' })
    const findTexts = async (who: Person) =>
      (await call(translation.find, world.as(who), { params, options: {} })).results.map(({ text }) => text)
    expect(await findTexts('content_admin')).toContain('Cerrado')
    expect(await findTexts('anonymous')).not.toContain('Cerrado')
    expect((await listTexts({}, 'anonymous')).results.map(({ nounId }) => nounId)).not.toContain('inner')
    // The second wall alone.
    const bare = await world.as('anonymous').db.selectFrom('translation').select('nounId').execute()
    expect(bare.map(({ nounId }) => nounId)).not.toContain('inner')
    expect(bare.map(({ nounId }) => nounId)).toContain('open')
  })

  test('is purged with its noun', async () => {
    const long = new Date(Date.now() - 40 * 86_400_000)
    await write({ noun: 'collection', nounId: 'ours', text: 'Nuestra' })
    await getDatabase().updateTable('collection').set({ deletedAt: long }).where('id', '=', 'ours').execute()
    await purgeDeleted(world.as('system'))
    const left = await getDatabase().selectFrom('translation').select('nounId').execute()
    expect(left.map(({ nounId }) => nounId)).not.toContain('ours')
    expect(left.map(({ nounId }) => nounId)).toContain('open')
  })
})

describe('a file of texts', () => {
  const downloadFile = async (options: object = {}) => {
    const file = await call(translation['texts.csv'], admin(), {
      params,
      options: { language: 'ar', ...options },
    })
    expect(file).toBeInstanceOf(Download)
    return String((file as unknown as Download).body)
  }
  const head = 'noun,id,path,original,translation'
  const send = (csv: string, token?: string, who: Person = 'organization_admin') =>
    call(translation.import, world.as(who), {
      params,
      data: { language: 'ar', csv, ...(token && { token }) },
    })

  test('survives a round trip, even what a spreadsheet takes for a formula', async () => {
    await getDatabase()
      .updateTable('source')
      .set({ notes: '=1+1, "quoted"\nline' })
      .where('id', '=', 'open')
      .execute()
    await write({ path: 'name', language: 'ar', text: '@مفتوح' })
    const file = await downloadFile()
    expect(file).toContain(`"'=1+1, ""quoted""`)
    // By default only missing translations, for the writer; all of them on request.
    expect(file).not.toContain('source,open,name')
    expect(await downloadFile({ state: 'all' })).toMatch(/source,open,name,[^\n]*,open,'@مفتوح\r\n/)
    const storedTranslations = await getDatabase()
      .selectFrom('translation')
      .select('id')
      .where('text', '=', '@مفتوح')
      .execute()
    for (const { id } of storedTranslations)
      await call(translation.deleteById, admin(), { params: { ...params, translationId: id } })
    const back = file.replace(/(source,open,notes,.*?line",)\r\n/s, '$1"\'=نص"\r\n')
    expect(back).not.toBe(file)
    const preview = await send(back)
    expect(preview.counts).toMatchObject({ new: 1 })
    expect(preview.rows).toMatchObject([{ path: 'notes', verdict: 'new', text: '=نص' }])
    expect(preview.token).not.toBeNull()
  })

  test('previews the result for each row, and then does exactly that', async () => {
    const csv = [
      head,
      'source,open,name,open,مفتوح',
      'source,open,name,open,again',
      'source,nowhere,name,x,y',
      'source,open,colour,x,y',
      'insight,calls,name,Former name,نداءات',
      'page,story,title,story,',
      'source,theirs,name,theirs,y',
      'collection,best,name,Best,<script>x</script>',
    ].join('\n')
    const preview = await send(csv)
    const verdicts = preview.rows.map(({ line, verdict }) => [line, verdict])
    expect(verdicts).toEqual([
      [2, 'new'],
      [3, 'twice'],
      [4, 'unknown'],
      [5, 'unknown'],
      [6, 'stale'],
      [8, 'unknown'],
      [9, 'invalid'],
    ])
    expect(
      await getDatabase().selectFrom('translation').select('id').where('language', '=', 'ar').execute(),
    ).toEqual([])
    expect(await catchRefusal(send(`${csv}\nsource,inner,name,inner,مغلق`, preview.token ?? ''))).toBe(
      'token',
    )
    const done = await send(csv, preview.token ?? '')
    expect(done).toMatchObject({ token: null, counts: preview.counts, rows: preview.rows })
    const storedTranslations = await getDatabase()
      .selectFrom('translation')
      .select(['nounId', 'text', 'original'])
      .where('language', '=', 'ar')
      .orderBy('nounId')
      .execute()
    expect(storedTranslations).toEqual([
      { nounId: 'calls', text: 'نداءات', original: 'Former name' },
      { nounId: 'open', text: 'مفتوح', original: 'open' },
    ])
    expect((await send(csv)).counts).toMatchObject({ unchanged: 2 })
    expect((await send(csv, undefined, 'content_admin')).counts).toMatchObject({ forbidden: 1 })
  })

  test('is rejected when it is invalid or too large', async () => {
    expect(await catchRefusal(send('a,b\n1,2'))).toBe('columns')
    expect(await catchRefusal(send(''))).toBe('csv')
    const many = `${head}\n${'source,open,name,open,x\n'.repeat(20_001)}`
    expect(await catchRefusal(send(many))).toBe('maxLength')
    expect(await catchRefusal(send('x'.repeat(4_000_001)))).toBe('maxLength')
  })
})
