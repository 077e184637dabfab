import type { GenericSchema } from 'valibot'
import type { Route } from '../routes.ts'

/** A JSON Schema, as a plain object. */
export type Schema = Record<string, unknown>

/** A recorded request of an endpoint and its response. */
export interface Example {
  params?: Record<string, string>
  options?: Record<string, unknown>
  data?: unknown
  answer?: unknown
}

/** What the description of an API needs beside its tree; the generator itself knows no noun. */
export interface ApiDescription {
  title: string
  version: string
  description: string
  /** The URL or address for questions. */
  contact: string
  /** A sentence for each noun, by the last part of its name, such as `source`. */
  nouns: Record<string, string>
  /** Schemas that are named in the document, by name. */
  names: Record<string, GenericSchema>
  /** The schemas of path parameters, by name. */
  params: Record<string, GenericSchema>
  /** By the name of the endpoint. */
  examples: Record<string, Example>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  style?: 'form' | 'deepObject'
  explode?: boolean
  schema: Schema
  example?: unknown
}

export interface Reference {
  $ref: string
}

export interface Media {
  schema: Schema
  example?: unknown
}

export interface Answer {
  description: string
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Answer | Reference>
  security: Record<string, string[]>[]
}

/** The parts of an OpenAPI 3.1 document that are used here. */
export interface Document {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; contact: { name: string; url: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<Route['method'], Operation>>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Answer>
    securitySchemes: Record<string, Record<string, string>>
  }
}
