import type { IncomingMessage, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { network, type Zone } from '#functions/domain/hostname/lights/zone.testing.ts'
import { internet, somewhere } from '#functions/engine/import/fetch/testing.ts'
import { settings } from '../testing.ts'

/** The client that a place registers with its provider. */
interface Registration {
  clientId: string
  secret: string
  redirectUri: string
}

/** The world outside: name servers with a zone of TXT records, and servers of this machine under public names. */
export function outside() {
  const net = internet()
  const zone: Zone = {}
  const resolver = new URL(settings.dnsResolver).origin
  const names = network(zone)
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (url.origin !== resolver) return net.ports.fetch(input, init)
    const name = url.searchParams.get('name') ?? ''
    // Names that a test does not define resolve to a public address.
    if (!(name in zone) && url.searchParams.get('type') === '1')
      return Promise.resolve(Response.json({ Status: 0, Answer: [{ type: 1, data: somewhere[0] }] }))
    return names.fetch(input, init)
  }
  return { net, zone, fetch }
}
type OutsideWorld = ReturnType<typeof outside>

/** A person at a real provider, with the claims of their tokens. */
interface Account {
  email: string
  email_verified?: boolean
  name?: string
}

/**
 * Runs a real OpenID provider, `oidc-provider`, under a public origin of the simulated internet. Accounts sign in by
 * their id alone.
 */
export async function realProvider(
  { net }: OutsideWorld,
  origin: string,
  { clientId, secret, redirectUri }: Registration,
  accounts: Record<string, Account>,
): Promise<void> {
  const provider = new Provider(origin, {
    clients: [{ client_id: clientId, client_secret: secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['a key of these tests'] },
    findAccount: (_context, id) =>
      accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
  })
  provider.proxy = true
  const answer = provider.callback()
  await net.serve(origin, (request, response) => {
    Object.assign(request.headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': new URL(origin).host })
    void answer(request, response)
  })
}

/** A browser at a real provider: signs in as an account and consents. Returns the query of the redirect back. */
export async function signInAt({ net }: OutsideWorld, address: string, accountId: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = new URL(address)
  const provider = url.origin
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step++) {
    const response: Response = await net.ports.fetch(url.href, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    form = null
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      jar.set(name, value)
    }
    const page = await response.text()
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin !== provider) return url.search.slice(1)
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!prompt) throw new Error(`The provider shows no form: ${response.status} ${page.slice(0, 300)}`)
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: accountId, password: 'any' }) })
  }
  throw new Error('The provider never sent the browser back.')
}

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** Keys and responses of a provider whose behaviour a test controls. */
export async function hostileProvider({ net }: OutsideWorld, origin: string, { clientId }: Registration) {
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const generateKeyPair = () =>
    crypto.subtle.generateKey(
      { ...rsa, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
      true,
      ['sign', 'verify'],
    )
  const [own, other] = [await generateKeyPair(), await generateKeyPair()]
  const jwk = await crypto.subtle.exportKey('jwk', own.publicKey)
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  }
  const self = {
    metadata: { ...metadata } as Record<string, unknown>,
    /** The response of the token endpoint, made from the nonce of the attempt; null: an error. */
    tokens: null as ((nonce: string) => Promise<object>) | null,
    userinfo: null as object | null,
    /** Answers a path itself; false: it does not. */
    answer: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
    nonce: '',
    /** Resets to the behaviour of an honest provider. */
    reset() {
      Object.assign(self, { metadata: { ...metadata }, tokens: null, userinfo: null, answer: () => false })
    },
    claims: (nonce: string, changes: object = {}) => {
      const now = Math.floor(Date.now() / 1000)
      return {
        iss: origin,
        aud: clientId,
        sub: 'someone',
        nonce,
        iat: now,
        exp: now + 300,
        email: 'someone@city.example',
        email_verified: true,
        name: 'Someone',
        ...changes,
      }
    },
    /** A token with these claims, signed with the published key, or as `by` says. */
    async token(claims: object, by: 'own' | 'other' | 'none' | { secret: string } = 'own') {
      const alg = by === 'none' ? 'none' : typeof by === 'object' ? 'HS256' : 'RS256'
      const signingInput = `${base64(JSON.stringify({ alg, typ: 'JWT' }))}.${base64(JSON.stringify(claims))}`
      if (by === 'none') return `${signingInput}.`
      const bytes = new TextEncoder().encode(signingInput)
      if (typeof by === 'object') {
        const hmac = { name: 'HMAC', hash: 'SHA-256' }
        const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(by.secret), hmac, false, [
          'sign',
        ])
        return `${signingInput}.${base64(new Uint8Array(await crypto.subtle.sign(hmac, key, bytes)))}`
      }
      const { privateKey } = by === 'own' ? own : other
      return `${signingInput}.${base64(new Uint8Array(await crypto.subtle.sign(rsa, privateKey, bytes)))}`
    },
    toTokenResponse: (idToken: string) => ({ access_token: 'at', token_type: 'Bearer', id_token: idToken }),
  }
  const requests = await net.serve(origin, (request, response) => {
    if (self.answer(request, response)) return
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const path = new URL(request.url ?? '/', origin).pathname
    if (path === '/.well-known/openid-configuration') return json(200, self.metadata)
    if (path === '/keys') return json(200, { keys: [{ ...jwk, alg: 'RS256', use: 'sig' }] })
    if (path === '/userinfo') return json(200, self.userinfo)
    if (path !== '/token' || !self.tokens) return json(400, { error: 'invalid_grant' })
    void self.tokens(self.nonce).then((tokens) => json(200, tokens))
  })
  return { ...self, self, requests }
}
