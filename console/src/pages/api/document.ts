// The node's own description of its API (/openapi.json), read once.
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  readOnly?: boolean;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}
interface Media {
  schema?: Schema;
  example?: unknown;
}
interface Body {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}
interface RawOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  'x-belfry-access'?: string;
}
export interface Document {
  info: {version: string};
  tags?: {name: string; description?: string}[];
  paths: Record<string, Record<string, RawOperation | Parameter[]>>;
  components: {schemas: Record<string, Schema>};
}
export interface Operation extends RawOperation {
  method: string;
  path: string;
  parameters: Parameter[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export async function readDocument(): Promise<Document> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
  return (await response.json()) as Document;
}

// What a reference means; anything else is itself.
export function resolve<T extends {$ref?: string}>(document: Document, value: T): T {
  if (!value.$ref) return value;
  let found: unknown = document;
  for (const part of value.$ref.replace(/^#\//, '').split('/')) found = (found as Record<string, unknown>)[part];
  const {$ref: _, ...own} = value;
  return {...(found as T), ...own} as T;
}

export const refName = (schema: Schema): string | undefined => schema.$ref?.split('/').pop();

export function operations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const raw = item[method] as RawOperation;
      const shared = (item.parameters as Parameter[] | undefined) ?? [];
      return {...raw, method: method.toUpperCase(), path, parameters: [...shared, ...(raw.parameters ?? [])].map((each) => resolve(document, each))};
    }),
  );
}

export const bodyOf = (document: Document, operation: Operation): Media | undefined => {
  const body = operation.requestBody && resolve(document, operation.requestBody);
  return body?.content?.['application/json'];
};

// A schema in a few words: `string`, `Duration`, `array of RunId`, `one of A, B`.
export function typeWords(schema: Schema | undefined): string {
  if (!schema) return 'anything';
  const name = refName(schema);
  if (name) return name;
  const some = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (some) return [...new Set(some.map(typeWords))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => (each === null ? 'null' : String(each))).join(', ');
  if (schema.items) return `array of ${typeWords(schema.items)}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type ?? 'anything';
}
