// Plain data as YAML: mappings, lists and scalars, quoted wherever YAML could read something else.
const PLAIN = /^[A-Za-z_/][\w./@ -]*$/;
const WORDS = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return PLAIN.test(value) && !WORDS.test(value) && !value.endsWith(' ') ? value : JSON.stringify(value);
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object' || Object.keys(value).length === 0;

function lines(value: object, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (isPlain(item)) return [`${indent}- ${scalar(item)}`];
      const inner = lines(item as object, `${indent}  `);
      return [`${indent}- ${(inner[0] ?? '').trimStart()}`, ...inner.slice(1)];
    });
  }
  return Object.entries(value).flatMap(([key, item]) =>
    isPlain(item) ? [`${indent}${scalar(key)}: ${scalar(item)}`] : [`${indent}${scalar(key)}:`, ...lines(item as object, `${indent}  `)],
  );
}

export const yamlOf = (value: object): string => `${lines(value, '').join('\n')}\n`;
