import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import type { Settings } from '#functions/context.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { maxStarted } from '#functions/shapes/place-request.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld, type Person } from '#db/worlds/world.ts'
import { sweepPlaceRequests } from './sweep.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

type Organizations = NonNullable<Settings['organizations']>
const buildSettings = (rule: Organizations['by'], domains: string[] = []): Settings => ({
  ...settings,
  organizations: { by: rule, domains },
})
const asPerson = (person: Person, rule: Settings = buildSettings('anyone')) =>
  world.as(person, { settings: rule })

/** Someone who has signed up, with a confirmed address or not, and has no place. */
async function newcomer(id: string, emailVerified = true, domain = 'city.example') {
  const { db } = world.as('system')
  const email = `${id}@${domain}`
  await db
    .insertInto('user')
    .values({ id, email, name: `Person ${id}`, image: null, emailVerified, role: null, onboarding: '{}' })
    .execute()
  const { actor } = world.as('none')
  if (!actor.user) throw new Error('The world has nobody without a place.')
  const user = { ...actor.user, id, email, name: `Person ${id}`, verified: emailVerified }
  return { ...actor, user }
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>
const asNewcomer = (actor: Newcomer, rule: Settings = buildSettings('anyone')) =>
  world.over(world.database.connect(toIdentity(actor)), actor, { settings: rule })

const start = (actor: Newcomer, id: string, rule?: Settings) =>
  call(v1.place.start, asNewcomer(actor, rule), {
    data: { id, name: `Place ${id}`, timeZone: 'Europe/Paris' },
  })
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { kind: string; message: string; issues?: { path: unknown[]; message: string }[] }) =>
      `${error.kind}: ${error.issues?.map(({ path, message }) => `${path.join('.')} ${message}`).join() || error.message}`,
  )
const memberships = (placeId: string) =>
  world
    .as('system')
    .db.selectFrom('placeUser')
    .select(['userId', 'role'])
    .where('placeId', '=', placeId)
    .orderBy('userId')
    .execute()
const trail = (placeId: string) =>
  world
    .as('system')
    .db.selectFrom('activity')
    .select(['verb', 'targetType', 'targetName', 'actorId'])
    .where('placeId', '=', placeId)
    .orderBy('at')
    .orderBy('verb')
    .execute()

describe('creating an organization', () => {
  test('makes its creator the administrator, and writes an activity entry', async () => {
    const ann = await newcomer('ann')
    const place = await start(ann, 'riverton')
    expect(place).toMatchObject({
      id: 'riverton',
      name: 'Place riverton',
      timeZone: 'Europe/Paris',
      isHub: false,
    })
    expect(await memberships('riverton')).toEqual([{ userId: 'ann', role: 'organization_admin' }])
    expect(await trail('riverton')).toEqual([
      { verb: 'created', targetType: 'place', targetName: 'Place riverton', actorId: 'ann' },
      { verb: 'joined', targetType: 'user', targetName: 'Person ann', actorId: 'ann' },
    ])
  })

  test.each([
    ['oakton', 'conflict: id This is or was the id of another organization.'],
    ['oakt0n', 'conflict: id This is too much like another id.'],
    ['elrnsford', 'conflict: id This is too much like another id.'],
    ['elmsfords', 'conflict: id This is too much like another id.'],
    ['admin', 'invalid: id This name is reserved.'],
    ['adrnin', 'invalid: id This name is reserved.'],
    ['xn--oakton', 'invalid: id Must not look like an encoded name.'],
    ['Oak Ton', 'invalid: id Must be lower-case letters, digits and dashes.'],
    ['ab', 'invalid: id Must have at least 3 characters.'],
  ])('rejects the id %s', async (id, expected) => {
    const actor = { ...world.as('none').actor } as Newcomer
    expect(await refusal(start(actor, id))).toBe(expected)
    // A rejected person is in no place, least of all in that of others.
    expect((await memberships('oakton')).map(({ userId }) => userId)).not.toContain('none')
  })

  test('sister organizations have ids with different numbers, none that only looks like another', async () => {
    const [actor, other] = [await newcomer('rob'), await newcomer('sue')]
    expect(await refusal(start(actor, 'ward-1'))).toBe('done')
    expect(await refusal(start(actor, 'ward-2'))).toBe('done')
    expect(await refusal(start(actor, 'ward-l'))).toMatch(/^conflict: id This is too much like/)
    expect(await refusal(start(actor, 'west'))).toBe('done')
    // Shorter by as many characters as it has pairs: those count as one.
    expect(await refusal(start(actor, 'clovvclovv'))).toBe('done')
    expect(await refusal(start(actor, 'dowdow'))).toMatch(/^conflict: id This is too much like/)
    // A character less makes a pair, which counts as one.
    expect(await refusal(start(other, 'har-nest'))).toBe('done')
    expect(await refusal(start(other, 'harnest'))).toMatch(/^conflict: id This is too much like/)
    expect(await refusal(start(other, 'vvest'))).toMatch(/^conflict: id This is too much like/)
  })

  test('the id of a deleted organization is never reused', async () => {
    const { db } = world.as('system')
    const actor = await newcomer('bea')
    await start(actor, 'sunken-city')
    await db.updateTable('place').set({ deletedAt: new Date() }).where('id', '=', 'sunken-city').execute()
    expect(await refusal(start(actor, 'sunken-city'))).toMatch(/^conflict: id This is or was/)
    expect(await refusal(start(actor, 'sunken-c1ty'))).toMatch(/^conflict: id This is too much like/)
  })

  test('rejects one of two concurrent requests for similar ids, and limits organizations per person', async () => {
    const [one, two] = [await newcomer('cid'), await newcomer('dan')]
    const both = await Promise.all([refusal(start(one, 'twin-lakes')), refusal(start(two, 'twin-1akes'))])
    expect(both.filter((each) => each === 'done')).toHaveLength(1)

    const many = await newcomer('eve')
    const names = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf']
    const all = await Promise.all(names.map((name) => refusal(start(many, `town-of-${name}`))))
    expect(all.filter((each) => each === 'done')).toHaveLength(maxStarted)
    expect(await refusal(start(many, 'hotel-town'))).toBe(
      'forbidden: You have made 5 organizations, which is as many as one may.',
    )
  })

  test.each<[string, Settings, boolean, string]>([
    ['as before, without a setting', settings, true, 'who invite you into one'],
    ['by invitation', buildSettings('invitation'), true, 'who invite you into one'],
    ['by approval', buildSettings('approval'), true, 'ask for yours'],
    [
      'of another domain',
      buildSettings('domain', ['county.example']),
      true,
      'It takes an address of county.example.',
    ],
    ['of a part of the domain', buildSettings('domain', ['example']), true, 'of none of the domains'],
    ['without a confirmed address', buildSettings('anyone'), false, 'confirm your e-mail address'],
  ])('rejects %s', async (name, rule, isConfirmed, words) => {
    const actor = await newcomer(`refused ${name}`, isConfirmed)
    expect(await refusal(start(actor, 'nowhere-land', rule))).toContain(words)
    const terms = await call(v1.place.startTerms, asNewcomer(actor, rule), {})
    expect(terms.may).toBe(rule.organizations?.by === 'approval' ? 'ask' : null)
  })

  test('accepts a confirmed address of the domain where that is required', async () => {
    const actor = await newcomer('fay')
    expect(await refusal(start(actor, 'by-domain', buildSettings('domain', ['city.example'])))).toBe('done')
  })
})

describe('requesting an organization', () => {
  const rule = buildSettings('approval')
  const ask = (actor: Newcomer, id: string) =>
    call(v1.placeRequest.create, asNewcomer(actor, rule), {
      data: { id, name: `Place ${id}`, note: 'For us.' },
    })
  const decide = (verb: 'accept' | 'refuse', placeRequestId: string, data = {}) =>
    call(v1.placeRequest[verb], asPerson('super_admin', rule), { params: { placeRequestId }, data })

  test('is answered once by a super admin; the requester gets an email and is its administrator', async () => {
    const gus = await newcomer('gus')
    const placeRequest = await ask(gus, 'gus-county')
    expect(placeRequest).toMatchObject({
      kind: 'new',
      status: 'pending',
      name: 'Place gus-county',
      placeId: null,
    })
    expect(await refusal(ask(gus, 'gus-town'))).toMatch(/^conflict: You have asked already/)
    const waiting = await call(v1.placeRequest.find, asPerson('super_admin', rule), {
      options: { filters: { status: 'pending' } },
    })
    expect(waiting.results).toMatchObject([{ id: placeRequest.id, userName: 'Person gus', note: 'For us.' }])
    const answers = await Promise.all([
      refusal(decide('accept', placeRequest.id)),
      refusal(decide('accept', placeRequest.id)),
    ])
    expect(answers.sort()).toEqual(['conflict: This request has been answered.', 'done'])
    expect(await memberships('gus-county')).toEqual([{ userId: 'gus', role: 'organization_admin' }])
    expect(world.mailbox.letters.filter(({ to }) => to === 'gus@city.example')).toMatchObject([
      { subject: 'Your organization is ready' },
    ])
    const own = await call(v1.placeRequest.mine, asNewcomer(gus, rule), {})
    expect(own.results).toMatchObject([{ id: placeRequest.id, status: 'accepted' }])
    expect(own.results[0]).not.toHaveProperty('answeredBy')
  })

  test('is denied with a reason, can be withdrawn, and is visible to nobody else', async () => {
    const hal = await newcomer('hal')
    const { id } = await ask(hal, 'hal-county')
    for (const person of ['organization_admin', 'support', 'none'] as const)
      expect(
        await refusal(
          call(v1.placeRequest.accept, asPerson(person, rule), { params: { placeRequestId: id }, data: {} }),
        ),
      ).toMatch(/^forbidden/)
    expect(await call(v1.placeRequest.mine, asPerson('none', rule), {})).toMatchObject({ results: [] })
    expect(
      await refusal(
        call(v1.placeRequest.withdraw, asPerson('none', rule), { params: { placeRequestId: id } }),
      ),
    ).toMatch(/^notFound/)
    await call(v1.placeRequest.withdraw, asNewcomer(hal, rule), { params: { placeRequestId: id } })
    expect(await refusal(decide('accept', id))).toBe('conflict: This request has been taken back.')
    const again = await ask(hal, 'hal-county')
    await decide('refuse', again.id, { reply: 'Please join that of your county.' })
    const own = await call(v1.placeRequest.mine, asNewcomer(hal, rule), {})
    expect(own.results.map(({ status, reply }) => [status, reply]).sort()).toEqual([
      ['refused', 'Please join that of your county.'],
      ['withdrawn', ''],
    ])
    // Row-level security does not let people answer their own requests.
    const { db } = asNewcomer(hal, rule)
    await expect(
      db
        .updateTable('placeRequest')
        .set({ status: 'accepted' })
        .where('id', '=', again.id)
        .executeTakeFirst(),
    ).resolves.toMatchObject({ numUpdatedRows: 0n })
    const third = await ask(hal, 'hal-county')
    await expect(
      db.updateTable('placeRequest').set({ status: 'accepted' }).where('id', '=', third.id).execute(),
    ).rejects.toThrow(/row-level security/)
  })

  test('reports an id that was taken meanwhile to the person who answers', async () => {
    const [ida, jon] = [await newcomer('ida'), await newcomer('jon')]
    const { id } = await ask(ida, 'lake-district')
    await start(jon, 'lake-district')
    expect(await refusal(decide('accept', id))).toMatch(/^conflict: id This is or was/)
    expect((await memberships('lake-district')).map(({ userId }) => userId)).toEqual(['jon'])
  })
})

describe('asking to join one', () => {
  const params = { placeId: 'oakton' }
  const ask = (actor: Newcomer) =>
    call(v1.place.joinRequest.create, asNewcomer(actor), { params, data: { note: 'I count trees.' } })
  const buildRequestParams = (joinRequestId: string) => ({ ...params, joinRequestId })

  test('is answered by its admins, with a role that they may give', async () => {
    const kim = await newcomer('kim')
    const { id } = await ask(kim)
    expect(await refusal(ask(kim))).toMatch(/^conflict: You have asked this organization already/)
    for (const person of ['viewer', 'member', 'content_admin'] as const)
      expect(await refusal(call(v1.place.joinRequest.find, asPerson(person), { params }))).toMatch(
        /^forbidden/,
      )
    const list = await call(v1.place.joinRequest.find, asPerson('organization_admin'), { params })
    expect(list.results).toMatchObject([{ id, userName: 'Person kim', email: 'kim@city.example' }])
    const accept = (role: string) =>
      refusal(
        call(v1.place.joinRequest.accept, asPerson('organization_admin'), {
          params: buildRequestParams(id),
          data: { role },
        }),
      )
    expect(await accept('super_admin')).toBe('invalid: role There is no such role.')
    expect(
      await refusal(
        call(v1.place.joinRequest.accept, asPerson('stranger'), {
          params: { placeId: 'elmsford', joinRequestId: id },
          data: { role: 'viewer' },
        }),
      ),
    ).toMatch(/^notFound/)
    expect(await accept('member')).toBe('done')
    expect(await accept('member')).toBe('conflict: This request has been answered.')
    expect(await memberships('oakton')).toContainEqual({ userId: 'kim', role: 'member' })
    expect(world.mailbox.letters.find(({ to }) => to === 'kim@city.example')?.text).toContain('Oakton')
    expect(await trail('oakton')).toContainEqual({
      ...{
        verb: 'joined',
        targetType: 'joinRequest',
        targetName: 'Person kim',
        actorId: 'organization_admin',
      },
    })
  })

  test('after a denial the person cannot ask again for a week, and the log names nobody', async () => {
    const lea = await newcomer('lea')
    const { id } = await ask(lea)
    await call(v1.place.joinRequest.refuse, asPerson('organization_admin'), {
      params: buildRequestParams(id),
      data: { reply: 'From your address at work, please.' },
    })
    expect(await refusal(ask(lea))).toMatch(/^conflict: This organization has refused your request/)
    const { db } = world.as('system')
    const before = new Date(Date.now() - 8 * 86_400_000)
    await db.updateTable('placeRequest').set({ answeredAt: before }).where('id', '=', id).execute()
    expect(await refusal(ask(lea))).toBe('done')
    expect((await trail('oakton')).filter(({ targetType }) => targetType === 'joinRequest')).toContainEqual(
      expect.objectContaining({ verb: 'deleted', targetName: '' }),
    )
  })

  test('requires a confirmed address, an existing place, and someone who is not a member', async () => {
    expect(await refusal(ask(await newcomer('max', false)))).toMatch(/^forbidden: Please confirm/)
    const join = (person: Person, placeId: string) =>
      refusal(call(v1.place.joinRequest.create, asPerson(person), { params: { placeId }, data: {} }))
    expect(await join('none', 'nowhere')).toMatch(/^notFound/)
    expect(await join('viewer', 'oakton')).toBe('conflict: You belong to this organization already.')
  })
})

describe('by the domain of an address', () => {
  const params = { placeId: 'oakton' }
  const domainParams = { ...params, mailDomainId: 'oakton.example' }
  const setLetsJoin = (letsJoin: boolean) =>
    call(v1.place.mailDomain.updateById, asPerson('organization_admin'), {
      params: domainParams,
      data: { letsJoin },
    })
  const join = (actor: Newcomer) =>
    call(v1.place.joinRequest.create, asNewcomer(actor), { params, data: {} }).then(({ status }) => status)
  const openTo = async (actor: Newcomer) =>
    (await call(v1.place.startTerms, asNewcomer(actor), {})).open.map(({ id }) => id)
  const prove = (isProved: boolean) =>
    world
      .as('system')
      .db.updateTable('mailDomain')
      .set({ verifiedAt: isProved ? new Date() : null })
      .execute()

  test('people join at once as viewers, while the domain is verified and the setting is on', async () => {
    await call(v1.place.mailDomain.create, asPerson('organization_admin'), {
      params,
      data: { domain: 'oakton.example' },
    })
    const [nan, ola, pia, quin] = [
      await newcomer('nan', true, 'oakton.example'),
      await newcomer('ola', false, 'oakton.example'),
      await newcomer('pia', true, 'parks.oakton.example'),
      await newcomer('quin', true, 'oakton.example'),
    ]
    await setLetsJoin(true)
    expect(await openTo(nan)).toEqual([])
    // It waits as everyone's does, until the proof is there.
    expect(await join(nan)).toBe('pending')
    await prove(true)
    expect(await openTo(nan)).toEqual(['oakton'])
    expect(await join(nan)).toBe('accepted')
    expect(await memberships('oakton')).toContainEqual({ userId: 'nan', role: 'viewer' })
    expect(await trail('oakton')).toContainEqual({
      ...{ verb: 'joined', targetType: 'user', targetName: 'Person nan', actorId: 'nan' },
    })
    const own = await call(v1.placeRequest.mine, asNewcomer(nan), {})
    expect(own.results.map(({ status }) => status)).toEqual(['accepted'])
    expect(await refusal(join(nan))).toBe('conflict: You belong to this organization already.')

    expect(await refusal(join(ola))).toMatch(/^forbidden: Please confirm/)
    expect(await openTo(ola)).toEqual([])
    // A domain below it is another.
    expect(await join(pia)).toBe('pending')
    await prove(false)
    expect(await join(quin)).toBe('pending')
    await prove(true)
    await setLetsJoin(false)
    expect(await openTo(quin)).toEqual([])
    expect((await memberships('oakton')).map(({ userId }) => userId)).not.toContain('quin')
  })
})

test('requests are deleted after half a year', async () => {
  const system = world.as('system')
  const { db } = system
  await db
    .updateTable('placeRequest')
    .set({ createdAt: new Date(Date.now() - 181 * 86_400_000) })
    .where('userId', '=', 'lea')
    .execute()
  await sweepPlaceRequests(system)
  const left = await db.selectFrom('placeRequest').select('userId').distinct().orderBy('userId').execute()
  expect(left.map(({ userId }) => userId)).toEqual(['gus', 'hal', 'ida', 'kim', 'nan', 'pia', 'quin'])
})
