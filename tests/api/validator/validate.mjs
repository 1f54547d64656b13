// Asks two public validators whether a document is OpenAPI 3.1: node validate.mjs openapi.json
import { readFileSync } from "node:fs";

import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";

const read = () => JSON.parse(readFileSync(process.argv[2], "utf8"));
const complaints = [];

const result = await new Validator().validate(read());
if (!result.valid) complaints.push(`openapi-schema-validator: ${JSON.stringify(result.errors, null, 2)}`);
await SwaggerParser.validate(read()).catch((error) => complaints.push(`swagger-parser: ${error.message}`));

for (const complaint of complaints) console.error(complaint);
process.exit(complaints.length === 0 ? 0 : 1);
