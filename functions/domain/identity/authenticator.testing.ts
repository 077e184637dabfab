import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '#functions/shapes/passkey.ts'

/** Deviations of a software authenticator, or of its browser, from correct behaviour. */
export interface AuthenticatorFaults {
  /** The origin that the browser reports. */
  origin?: string
  /** The host the key is made for, or used for. */
  rpId?: string
  challenge?: string
  /** `webauthn.create` or `webauthn.get`. */
  type?: string
  /** Without user verification. */
  isUnverified?: boolean
  /** Without user presence. */
  isAbsent?: boolean
  counter?: number
  /** The id of another key. */
  credentialId?: string
}

/** An authenticator with one key (ES256), in a browser that shows a page of that origin: as WebAuthn, level 3, has it. */
export function softAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  const self = {
    id: credential.toString('base64url'),
    /** The signature counter. */
    counter: 0,
    /** `navigator.credentials.create()`, and its `toJSON()`. */
    make({ publicKey: options }: PasskeyCreation, other: AuthenticatorFaults = {}): NewPasskey['passkey'] {
      const data = Buffer.concat([
        authenticatorData(other.rpId ?? options.rp.id, self.counter, other, 0x40),
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        toCoseKey(publicKey),
      ])
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      )
      const id = other.credentialId ?? self.id
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: clientData(other.type ?? 'webauthn.create', options.challenge, origin, other),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** `navigator.credentials.get()`, and its `toJSON()`. */
    use({ publicKey: options }: PasskeyRequest, other: AuthenticatorFaults = {}): PasskeyAnswer {
      self.counter += 1
      const data = authenticatorData(other.rpId ?? options.rpId, other.counter ?? self.counter, other, 0)
      const client = clientData(other.type ?? 'webauthn.get', options.challenge, origin, other)
      const id = other.credentialId ?? self.id
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: client,
          authenticatorData: data.toString('base64url'),
          signature: signAuthenticatorData(privateKey, data, client).toString('base64url'),
        },
      }
    },
  }
  return self
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

function signAuthenticatorData(key: KeyObject, data: Buffer, client: string): Buffer {
  return sign('sha256', Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]), key)
}

function clientData(type: string, challenge: string, origin: string, other: AuthenticatorFaults): string {
  const payload = {
    type,
    challenge: other.challenge ?? challenge,
    origin: other.origin ?? origin,
    crossOrigin: false,
  }
  return Buffer.from(JSON.stringify(payload)).toString('base64url')
}

function authenticatorData(rpId: string, counter: number, other: AuthenticatorFaults, more: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const flags = (other.isAbsent ? 0 : 1) | (other.isUnverified ? 0 : 4) | more
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

/** A public key of P-256 as COSE has it (RFC 9053, 7.1.1). */
function toCoseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

/** The subset of CBOR (RFC 8949) that an authenticator writes. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (!(value instanceof Map)) throw new Error('No authenticator writes such a value.')
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  return size < 256
    ? Buffer.from([(kind << 5) | 24, size])
    : Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
}
